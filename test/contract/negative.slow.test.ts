import { refusesWrongJson, refusesWrongOps } from './negative_suite.ts';

refusesWrongJson(2);
refusesWrongOps(1);
