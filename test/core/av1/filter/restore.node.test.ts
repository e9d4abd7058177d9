import { describe, it } from 'vitest';
import { expectFiltered } from '../../../fixtures/av1/filter_expected.ts';
import { DEPTHS } from '../../../fixtures/av1/filter_plans.ts';
import { specificationCases } from './specification_suite.ts';

describe('loop restoration stripe by stripe', () => {
  specificationCases({
    filter: 'restore',
    sizes: [
      [133, 74],
      [65, 57],
      [1, 1],
      [3, 122],
    ],
    seed: 40,
    filters: (i) => ({ restore: true, deblock: i % 2 === 0, cdef: i % 3 !== 1 }),
    leastChanges: 100,
  });

  it('does so where every sample may be anything', () => {
    for (const bitDepth of DEPTHS) {
      expectFiltered({ width: 97, height: 70, seed: 3, bitDepth, noise: true, restore: true });
    }
  });
});
