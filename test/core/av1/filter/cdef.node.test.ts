import { describe, it } from 'vitest';
import { expectFiltered } from '../../../fixtures/av1/filter_expected.ts';
import { DEPTHS } from '../../../fixtures/av1/filter_plans.ts';
import { specificationCases } from './specification_suite.ts';

describe('CDEF row by row', () => {
  specificationCases({
    filter: 'cdef',
    sizes: [
      [133, 136],
      [65, 129],
      [1, 1],
      [3, 70],
    ],
    seed: 20,
    filters: (i) => ({ cdef: true, deblock: i % 2 === 0 }),
    leastChanges: 300,
  });

  it('does so where every sample may be anything', () => {
    for (const bitDepth of DEPTHS)
      expectFiltered({ width: 130, height: 72, seed: 5, bitDepth, noise: true, cdef: true });
  });
});
