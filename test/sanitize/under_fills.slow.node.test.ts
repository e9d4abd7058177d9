import { checkUnderFills } from './under_fills_suite.ts';

const seeds = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);
checkUnderFills('rectangle', seeds(8, 60));
checkUnderFills('ellipse', seeds(4, 30));
