import { describe, expect, it } from 'vitest';
import { createCore } from '../../../../src/core/instance.ts';
import { type CasePlan, filterCase } from '../../../fixtures/av1/filter_case.ts';
import { expectFiltered } from '../../../fixtures/av1/filter_expected.ts';
import { randomPlans } from '../../../fixtures/av1/filter_plans.ts';
import {
  filteredByWindow,
  finishedRows,
  openCase,
  readFinished,
  type WindowExports,
} from '../../../fixtures/av1/filter_window.ts';
import { grainCase } from '../../../fixtures/av1/grain_case.ts';
import { expectSame, visible } from '../../../fixtures/av1/samples.ts';

const ALL = { deblock: true, cdef: true, restore: true };

describe('the window of rows', () => {
  it('gives rows as they were written where no filter is used', () => {
    for (const superblock of [64, 128] as const) {
      const picture = filterCase({ width: 150, height: 201, seed: 1, superblock });
      const widths = picture.planes.map(({ width }) => width);
      expectSame(filteredByWindow(picture), visible(picture.planes), widths, `superblocks of ${superblock}`);
    }
  });

  it('leaves all filters out, and keeps the whole picture, where blocks are copied from it', () => {
    const picture = filterCase({ ...ALL, width: 150, height: 201, seed: 2 });
    const widths = picture.planes.map(({ width }) => width);
    const clean = filteredByWindow(picture, undefined, true);
    expectSame(clean, visible(picture.planes), widths, 'whole picture');
    // With film grain, which only what leaves is to have.
    using open = openCase(picture, grainCase(2, false, true), true);
    expect(readFinished(open, picture)[0]).not.toEqual(clean[0]);
    const [luma] = open.planes;
    const stride = luma!.get('stride');
    const first = luma!.get('current') - open.frame.get('superblockRows') * 64 * stride;
    for (const y of [0, 1, 64, 200]) {
      const row = new Uint16Array(open.core.view(first + y * stride, 2).buffer, first + y * stride, 150);
      const { samples, stride: from } = picture.planes[0]!;
      expect(row).toEqual(samples.subarray(y * from, y * from + 150));
    }
  });

  it('keeps the row above the next superblock row as it was before the filters', () => {
    const picture = filterCase({ ...ALL, width: 150, height: 201, seed: 3 });
    using open = openCase(picture);
    open.start();
    for (let row = 0; row < 3; row++) {
      open.next();
      picture.planes.forEach((plane, index) => {
        const at = open.planes[index]!.get('above');
        const y = (((row + 1) * 64) >> plane.subY) - 1;
        const above = new Uint16Array(open.core.view(at, 2).buffer, at, plane.stride);
        expect(above).toEqual(plane.samples.subarray(y * plane.stride, (y + 1) * plane.stride));
      });
    }
  });

  it('may begin again at any time', () => {
    const picture = filterCase({ ...ALL, width: 133, height: 150, seed: 4 });
    using open = openCase(picture);
    const widths = picture.planes.map(({ width }) => width);
    const once = readFinished(open, picture);
    open.start();
    open.next();
    expectSame(readFinished(open, picture), once, widths, 'the second reading');
  });

  it('goes on with one picture while another one is read in the same core', () => {
    using core = createCore();
    const plans = [{ bitDepth: 8 }, { bitDepth: 10, superblock: 128, sampling: '444' }] as const;
    const readings = plans.map((plan, i) => {
      const picture = filterCase({ ...ALL, ...plan, width: 133, height: 300, seed: 8 + i });
      const grain = grainCase(8 + i, false, i === 0);
      const rows = finishedRows(openCase(picture, grain, false, core), picture);
      return {
        rows,
        alone: filteredByWindow(picture, grain),
        widths: picture.planes.map(({ width }) => width),
      };
    });
    for (let left = readings; left.length > 0; ) {
      left = left.filter(({ rows, alone, widths }) => {
        const step = rows.next();
        if (step.done) expectSame(step.value, alone, widths, 'in turn');
        return !step.done;
      });
    }
  });

  it('holds a few superblock rows, however high the picture is', () => {
    const bytes = (plan: Omit<CasePlan, 'seed'>, height: number) => {
      using open = openCase(filterCase({ ...ALL, ...plan, seed: 5, height }));
      return open.windowBytes;
    };
    for (const superblock of [64, 128] as const) {
      const low = bytes({ width: 1024, height: 0, superblock }, superblock);
      expect(bytes({ width: 1024, height: 0, superblock }, 600)).toBe(low);
      // Samples of two bytes, half of them chroma: the superblock row and two lags of 8 rows, lines.
      expect(low).toBeLessThan(1100 * (superblock + 40) * 3);
    }
  });

  it('says of a picture too large for any memory that it needs more than that', () => {
    using open = openCase(filterCase({ width: 64, height: 64, seed: 6 }), undefined, true);
    const { av1WindowBytes } = open.core.exports as unknown as WindowExports;
    open.frame.set('frameWidth', 65_536);
    open.frame.set('upscaledWidth', 65_536);
    open.frame.set('frameHeight', 65_536);
    open.frame.set('superblockRows', 1024);
    expect(av1WindowBytes(open.frame.at)).toBeGreaterThan(2 ** 31 - 2 ** 17);
  });

  it('is the specification, whatever filters a picture uses', () => {
    for (const plan of randomPlans(7, 16, 130)) expectFiltered(plan);
  });
});
