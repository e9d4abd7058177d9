import { describe, expect, it } from 'vitest';
import { filterCase } from '../../../fixtures/av1/filter_case.ts';
import { DEPTHS, SAMPLINGS } from '../../../fixtures/av1/filter_plans.ts';
import { filteredByWindow, openCase } from '../../../fixtures/av1/filter_window.ts';
import { grainCase } from '../../../fixtures/av1/grain_case.ts';
import { grained } from '../../../fixtures/av1/grain_reference.ts';
import { CoreRecord, recordLayout } from '../../../fixtures/av1/records.ts';
import { expectSame } from '../../../fixtures/av1/samples.ts';

/** No sample of noise: these have at most 12 bits and a sign. */
const MARK = 0x7fff;

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

  it('is made of no other columns than are read: noise of whole rows was made for each band', () => {
    const picture = filterCase({ width: 320, height: 130, seed: 1, bitDepth: 8, sampling: '420' });
    const grain = { ...grainCase(2, false, true), overlapFlag: 1 };
    expect(grain.numYPoints).toBeGreaterThan(0);
    using open = openCase(picture, grain);
    const { core, frame } = open;
    const recordAt = (path: string, name: string, at: number) =>
      new CoreRecord(recordLayout(path, name), at, () => core.exports.memory.buffer);
    const filters = recordAt('av1/filter/state.ts', 'FilterState', frame.get('filters'));
    const state = recordAt('av1/grain/state.ts', 'GrainState', filters.get('grain'));
    const columns = state.get('blocks') * 32;
    const rows = ['noise', 'noiseAbove'].map((name) => {
      const at = state.get(name);
      return new Uint16Array(core.view(at, 2 * columns).buffer, at, columns);
    });
    for (const row of rows) row.fill(MARK);
    open.start();
    frame.set('wantedFrom', 100);
    frame.set('wantedEnd', 150);
    for (let row = 0; row < frame.get('superblockRows'); row++) open.next();
    for (const row of rows) {
      const made = Array.from(row.keys()).filter((column) => row[column] !== MARK);
      // Blocks of 32 columns, one more to blend with; chroma's are 16 wide and lie in the same rows.
      expect(made.length).toBeGreaterThan(0);
      expect(Math.min(...made)).toBeGreaterThanOrEqual(32);
      expect(Math.max(...made)).toBeLessThan(160);
    }
  });
});
