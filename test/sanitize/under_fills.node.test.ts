import { checkUnderFills } from './under_fills_suite.ts';

checkUnderFills('rectangle', [0, 1, 2, 3, 4, 5, 6, 7]);
checkUnderFills('ellipse', [0, 1, 2, 3]);
