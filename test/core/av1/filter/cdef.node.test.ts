import { describe, expect, it } from 'vitest';
import { deringed } from '../../../fixtures/av1/cdef_reference.ts';
import { deblocked } from '../../../fixtures/av1/deblock_reference.ts';
import { type CasePlan, filterCase } from '../../../fixtures/av1/filter_case.ts';
import { filteredByWindow } from '../../../fixtures/av1/filter_window.ts';
import { expectSame, visible } from '../../../fixtures/av1/samples.ts';

const DEPTHS = [8, 10, 12] as const;
const SAMPLINGS = ['420', '422', '444', '400'] as const;
const SUPERBLOCKS = [64, 128] as const;
const SIZES = [
  [200, 150],
  [133, 186],
  [65, 129],
  [8, 8],
  [1, 1],
  [3, 70],
  [97, 5],
] as const;

/** @returns how many luma samples CDEF changed */
function expectAsReference(plan: CasePlan): number {
  const picture = filterCase({ ...plan, cdef: true });
  const before = deblocked(picture);
  const planes = deringed(picture, before);
  const widths = planes.map(({ width }) => width);
  expectSame(filteredByWindow(picture), visible(planes), widths, JSON.stringify(plan));
  return planes[0]!.samples.reduce((sum, value, i) => sum + Number(value !== before[0]!.samples[i]), 0);
}

describe('CDEF row by row', () => {
  for (const sampling of SAMPLINGS) {
    for (const bitDepth of DEPTHS) {
      it(`leaves what the specification's order over the picture leaves: ${sampling}, ${bitDepth} bits`, () => {
        let changed = 0;
        SIZES.forEach(([width, height], i) => {
          for (const superblock of SUPERBLOCKS) {
            const deblock = i % 2 === 0;
            changed += expectAsReference({
              width,
              height,
              seed: 20 + i,
              bitDepth,
              sampling,
              superblock,
              deblock,
            });
          }
        });
        expect(changed).toBeGreaterThan(5000);
      });
    }
  }

  it('does so where every sample may be anything', () => {
    for (const bitDepth of DEPTHS) {
      for (let seed = 0; seed < 4; seed++) {
        expectAsReference({ width: 130, height: 72, seed, bitDepth, noise: true });
      }
    }
  });
});
