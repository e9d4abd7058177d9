import { describe } from 'vitest';
import { specificationCases } from './specification_suite.ts';

describe('deblocking row by row', () => {
  specificationCases({
    filter: 'deblock',
    sizes: [
      [200, 150],
      [133, 131],
      [65, 129],
      [1, 1],
      [3, 70],
      [97, 5],
    ],
    seed: 1,
    filters: () => ({ deblock: true }),
    leastChanges: 2000,
  });
});
