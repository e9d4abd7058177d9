import { describe, expect, it } from 'vitest';
import type { ColumnRange } from '../../../src/core/av1/columns.ts';
import { planesOf, withAv1 } from '../../fixtures/av1/av1_reader.ts';
import { keptStream } from '../../fixtures/av1/kept_streams.ts';
import { planeDifference } from '../../fixtures/av1/yuv_pictures.ts';
import { obusBySharp } from '../../fixtures/avif_files.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { columnCase, columnsOf } from './columns_suite.ts';

const SAMPLING = { chromaSubsampling: '4:2:0' };

describe('columns of an AV1 picture', () => {
  columnCase(
    '4:2:0 of 8 bits',
    () => obusBySharp(photoPicture(1300, 100, 1), { ...SAMPLING, quality: 70 }),
    310,
  );

  it('are decoded all where blocks are copied from anywhere', () => {
    withAv1(keptStream('screen-block-copy'), (opened) => {
      opened.reserve();
      const range = { from: 100, to: 130 };
      opened.reserveColumns([range]);
      expect(opened.facts.columns).toBeUndefined();
      expect(opened.columnsRead(range)).toBe(330);
      expect(planeDifference(planesOf(opened, range), planesOf(opened))).toBeUndefined();
    });
  });

  it('are read from a first reading that ended: one that was left is no help', async () => {
    withAv1(await obusBySharp(photoPicture(1300, 130, 1), { ...SAMPLING, quality: 40 }), (opened) => {
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
