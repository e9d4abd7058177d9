import { describe, expect, it } from 'vitest';
import { deblocked } from '../../../fixtures/av1/deblock_reference.ts';
import { type CasePlan, filterCase } from '../../../fixtures/av1/filter_case.ts';
import { filteredByWindow } from '../../../fixtures/av1/filter_window.ts';
import { expectSame, visible } from '../../../fixtures/av1/samples.ts';

const DEPTHS = [8, 10, 12] as const;
const SAMPLINGS = ['420', '422', '444', '400'] as const;
const SUPERBLOCKS = [64, 128] as const;
const SIZES = [
  [200, 150],
  [133, 131],
  [65, 129],
  [8, 8],
  [1, 1],
  [3, 70],
  [97, 5],
] as const;

function expectAsReference(plan: CasePlan): number {
  const picture = filterCase({ ...plan, deblock: true });
  const planes = deblocked(picture);
  const name = JSON.stringify(plan);
  const widths = planes.map(({ width }) => width);
  expectSame(filteredByWindow(picture), visible(planes), widths, name);
  const before = picture.planes[0]!.samples;
  return planes[0]!.samples.reduce((sum, value, i) => sum + Number(value !== before[i]), 0);
}

describe('deblocking row by row', () => {
  for (const sampling of SAMPLINGS) {
    for (const bitDepth of DEPTHS) {
      it(`leaves what the specification's order over the whole picture leaves: ${sampling}, ${bitDepth} bits`, () => {
        let changed = 0;
        SIZES.forEach(([width, height], i) => {
          for (const superblock of SUPERBLOCKS) {
            changed += expectAsReference({ width, height, seed: 1 + i, bitDepth, sampling, superblock });
          }
        });
        expect(changed).toBeGreaterThan(10_000);
      });
    }
  }
});
