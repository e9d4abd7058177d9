import { describe, expect, it } from 'vitest';
import { addChanges, expectFiltered } from '../../../fixtures/av1/filter_expected.ts';
import { DEPTHS, SAMPLINGS } from '../../../fixtures/av1/filter_plans.ts';

const SIZES = [
  [200, 150],
  [133, 131],
  [65, 129],
  [1, 1],
  [3, 70],
  [97, 5],
] as const;

describe('deblocking row by row', () => {
  for (const sampling of SAMPLINGS) {
    for (const bitDepth of DEPTHS) {
      it(`leaves what the specification leaves of the whole picture: ${sampling}, ${bitDepth} bits`, () => {
        const changes = { deblock: 0, cdef: 0, restore: 0 };
        SIZES.forEach(([width, height], i) => {
          const superblock = (i + bitDepth / 2) % 2 ? 64 : 128;
          const plan = { width, height, seed: 1 + i, bitDepth, sampling, superblock } as const;
          addChanges(changes, expectFiltered({ ...plan, deblock: true }));
        });
        expect(changes.deblock).toBeGreaterThan(2000);
      });
    }
  }
});
