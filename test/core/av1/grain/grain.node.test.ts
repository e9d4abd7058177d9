import { describe, expect, it } from 'vitest';
import { filterCase } from '../../../fixtures/av1/filter_case.ts';
import { DEPTHS, SAMPLINGS } from '../../../fixtures/av1/filter_plans.ts';
import { filteredByWindow } from '../../../fixtures/av1/filter_window.ts';
import { grainCase } from '../../../fixtures/av1/grain_case.ts';
import { grained } from '../../../fixtures/av1/grain_reference.ts';
import { expectSame } from '../../../fixtures/av1/samples.ts';

const SIZES = [
  [133, 150],
  [64, 33],
  [1, 1],
  [97, 70],
] as const;

describe('film grain', () => {
  for (const sampling of SAMPLINGS) {
    for (const bitDepth of DEPTHS) {
      it(`is the specification's, however rows leave: ${sampling}, ${bitDepth} bits`, () => {
        let changed = 0;
        for (let seed = 0; seed < 8; seed++) {
          const [width, height] = SIZES[seed % SIZES.length]!;
          const plan = { width, height, seed, bitDepth, sampling };
          const picture = filterCase({ ...plan, superblock: seed % 3 ? 64 : 128 });
          const grain = grainCase(seed, sampling === '400', sampling === '420');
          // A whole picture keeps its samples without grain, for blocks that are copied.
          const wholePicture = seed % 4 === 3;
          const clean = filteredByWindow(picture);
          const expected = grained(picture, grain, clean);
          const widths = picture.planes.map((plane) => plane.width);
          const name = JSON.stringify({ ...plan, grain });
          expectSame(filteredByWindow(picture, grain, wholePicture), expected, widths, name);
          expected.forEach((plane, i) => {
            changed += plane.reduce((sum, value, at) => sum + Number(value !== clean[i]![at]), 0);
          });
        }
        expect(changed).toBeGreaterThan(10_000);
      });
    }
  }

  it('follows all filters', () => {
    for (let seed = 20; seed < 26; seed++) {
      const filters = { deblock: true, cdef: true, restore: true };
      const upscaledWidth = seed % 2 ? 160 : 120;
      const picture = filterCase({ ...filters, width: 120, upscaledWidth, height: 140, seed });
      const grain = grainCase(seed, false, true);
      const expected = grained(picture, grain, filteredByWindow(picture));
      expectSame(
        filteredByWindow(picture, grain),
        expected,
        [upscaledWidth, upscaledWidth / 2, upscaledWidth / 2],
        '',
      );
    }
  });
});
