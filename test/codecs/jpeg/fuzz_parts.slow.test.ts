import { fuzzJpegParts } from './fuzz_parts_suite.ts';

fuzzJpegParts(6000);
