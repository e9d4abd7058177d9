import { refusesTruncated } from './truncated_suite.ts';

refusesTruncated(60);
