import type { Raster, Size, Strip, Work } from '../codecs/types.ts';
import { ROW_SLACK } from '../core/constants.ts';
import { addressOf } from '../core/instance.ts';
import { Scratch } from '../core/scratch.ts';
import { scratchBytes } from '../core/sizes.ts';
import { rowsWork } from '../scheduling/work.ts';
import { mapStrips } from '../strips.ts';
import { derive } from './derive.ts';

/** The rows of means in a strip. */
const STRIP_ROWS = 16;

/** The longest side of a box: sums of its rows are 16 bits. */
export const MAX_BOX_SIDE = 256;

/** In the order of allocation: the sums of a row of boxes, the means. */
const sizesOf = (fromWidth: number, width: number): number[] => [
  fromWidth * 8 + 2 * ROW_SLACK,
  width * 4 * STRIP_ROWS + ROW_SLACK,
];

/** Bytes that averaging from one width to another reserves in the core of the rows; exact. */
export const averageCost = (fromWidth: number, width: number): number =>
  scratchBytes(sizesOf(fromWidth, width));

/**
 * The means of boxes of pixels; the last of a row or column may be smaller than the others. Colours are
 * premultiplied by alpha, and stay so.
 * @param box its sides in pixels, 1 to MAX_BOX_SIDE
 */
export function average(source: Raster, box: Size): Raster {
  const width = Math.ceil(source.width / box.width);
  const height = Math.ceil(source.height / box.height);
  return derive(source, { width, height, strips: () => averagedStrips(source, box, width) });
}

function* averagedStrips(source: Raster, box: Size, width: number): Generator<Strip | Work> {
  const { core, opaque } = source;
  const { exports } = core;
  using scratch = new Scratch(core, sizesOf(source.width, width));
  const [sums, means] = scratch.places as [number, number];
  const stride = source.width * 4;
  let summed = 0;
  let done = 0;
  let filled = 0;
  const strip = (): Strip => ({
    y: done - filled,
    rows: filled,
    pixels: core.view(means, filled * width * 4),
  });
  yield* mapStrips(source.strips(), function* ({ y, rows, pixels }: Strip) {
    const at = addressOf(core, pixels);
    for (let row = 0; row < rows; row++) {
      const from = at + row * stride;
      if (!opaque) exports.premultiplyPixels(from, source.width);
      exports.sumRow(from, source.width, sums, summed === 0 ? 1 : 0);
      if (++summed < box.height && y + row + 1 < source.height) continue;
      exports.averageSums(sums, source.width, box.width, summed, means + filled * width * 4);
      summed = 0;
      done++;
      if (++filled < STRIP_ROWS) continue;
      yield strip();
      filled = 0;
    }
    yield rowsWork(rows, source.width);
  });
  if (filled > 0) yield strip();
}
