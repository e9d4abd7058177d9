import { describe, expect, it } from 'vitest';
import { addChanges, expectFiltered } from '../../../fixtures/av1/filter_expected.ts';
import { DEPTHS, SAMPLINGS } from '../../../fixtures/av1/filter_plans.ts';

const SIZES = [
  [133, 74],
  [65, 57],
  [1, 1],
  [3, 122],
] as const;

describe('loop restoration stripe by stripe', () => {
  for (const sampling of SAMPLINGS) {
    for (const bitDepth of DEPTHS) {
      it(`leaves what the specification leaves of the whole picture: ${sampling}, ${bitDepth} bits`, () => {
        const changes = { deblock: 0, cdef: 0, restore: 0 };
        SIZES.forEach(([width, height], i) => {
          const superblock = (i + bitDepth / 2) % 2 ? 64 : 128;
          const plan = { width, height, seed: 40 + i, bitDepth, sampling, superblock } as const;
          addChanges(
            changes,
            expectFiltered({ ...plan, restore: true, deblock: i % 2 === 0, cdef: i % 3 !== 1 }),
          );
        });
        expect(changes.restore).toBeGreaterThan(100);
      });
    }
  }

  it('does so where every sample may be anything', () => {
    for (const bitDepth of DEPTHS) {
      expectFiltered({ width: 97, height: 70, seed: 3, bitDepth, noise: true, restore: true });
    }
  });
});
