import { describe, expect, it } from 'vitest';
import { addChanges, expectFiltered } from '../../../fixtures/av1/filter_expected.ts';
import { DEPTHS, SAMPLINGS } from '../../../fixtures/av1/filter_plans.ts';

const SIZES = [
  [133, 136],
  [65, 129],
  [1, 1],
  [3, 70],
] as const;

describe('CDEF row by row', () => {
  for (const sampling of SAMPLINGS) {
    for (const bitDepth of DEPTHS) {
      it(`leaves what the specification leaves of the whole picture: ${sampling}, ${bitDepth} bits`, () => {
        const changes = { deblock: 0, cdef: 0, restore: 0 };
        SIZES.forEach(([width, height], i) => {
          const superblock = (i + bitDepth / 2) % 2 ? 64 : 128;
          const plan = { width, height, seed: 20 + i, bitDepth, sampling, superblock } as const;
          addChanges(changes, expectFiltered({ ...plan, cdef: true, deblock: i % 2 === 0 }));
        });
        expect(changes.cdef).toBeGreaterThan(300);
      });
    }
  }

  it('does so where every sample may be anything', () => {
    for (const bitDepth of DEPTHS)
      expectFiltered({ width: 130, height: 72, seed: 5, bitDepth, noise: true, cdef: true });
  });
});
