import { describe, expect, it } from 'vitest';
import type { ColumnRange } from '../../../src/core/av1_columns.ts';
import { encodeByAomenc, haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { planesOf, withAv1 } from '../../fixtures/av1/av1_reader.ts';
import { planeDifference, yuvPicture } from '../../fixtures/av1/yuv_pictures.ts';
import { columnCase, columnsOf } from './columns_suite.ts';

describe.skipIf(!haveAomTools)('columns of an AV1 picture', () => {
  columnCase('4:2:0 of 8 bits', yuvPicture('photo', 1300, 100), ['--sb-size=64', '--cpu-used=8'], 310);

  it('are decoded all where blocks are copied from anywhere', () => {
    const picture = yuvPicture('screen', 330, 140);
    const obus = encodeByAomenc(picture, ['--tune-content=screen', '--cq-level=25', '--cpu-used=6']);
    withAv1(obus, (opened) => {
      opened.reserve();
      const range = { from: 100, to: 130 };
      opened.reserveColumns([range]);
      expect(opened.facts.columns).toBeUndefined();
      expect(opened.columnsRead(range)).toBe(330);
      expect(planeDifference(planesOf(opened, range), planesOf(opened))).toBeUndefined();
    });
  });

  it('are read from a first reading that ended: one that was left is no help', () => {
    withAv1(encodeByAomenc(yuvPicture('photo', 1300, 130), ['--cpu-used=9', '--cq-level=40']), (opened) => {
      opened.reserve();
      const ranges = [700, 800, 900].map((from) => ({ from, to: from + 100 }));
      const [range, second, third] = ranges as [ColumnRange, ColumnRange, ColumnRange];
      opened.reserveColumns(ranges);
      const whole = planesOf(opened);
      const expected = ranges.map((each) => columnsOf(whole, each, 1));
      opened.rows(range).next();
      expect(opened.columnsRead(range)).toBe(1300);
      planesOf(opened, range);
      expect(opened.columnsRead(range)).toBeLessThan(1300);
      // The second begins where the first has left a checkpoint; one that is left moves it to nowhere.
      const read = opened.columnsRead(second);
      opened.rows(second).next();
      expect(opened.columnsRead(second)).toBeGreaterThan(read);
      for (const [index, each] of [second, third, range, third].entries()) {
        const at = [1, 2, 0, 2][index]!;
        expect(planeDifference(columnsOf(planesOf(opened, each), each, 1), expected[at]!)).toBeUndefined();
      }
    });
  });
});
