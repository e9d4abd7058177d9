import type { TimeSlice } from './scheduling/time_slice.ts';
import { rowsOfStrip, rowsWork, type Work } from './scheduling/work.ts';

/** Rows of RGBA pixels from a read: the part of `Strip` (src/codecs/types.ts) that pacing needs. */
interface PixelRows {
  readonly y: number;
  readonly rows: number;
  readonly pixels: Uint8Array;
}

/**
 * Replaces each strip, or other item, of a read by what `change` makes of it. Passes on the work in between.
 */
export function* mapStrips<From extends object, To>(
  reading: Iterable<From | Work>,
  change: (strip: From) => Iterable<To | Work>,
): Generator<To | Work> {
  for (const item of reading) {
    if (typeof item === 'number') yield item;
    else yield* change(item);
  }
}

/** Changes each strip in place, then passes it on. Passes on the work in between. */
export function* changedStrips<Item extends object>(
  reading: Iterable<Item | Work>,
  change: (strip: Item) => void,
): Generator<Item | Work> {
  for (const item of reading) {
    if (typeof item !== 'number') change(item);
    yield item;
  }
}

/**
 * The rows [from, to) of a read, with `y` counted from `from`. Strips outside this range become work.
 * @param width in pixels
 * @param readsOn read on to the image's end, where defects show, instead of stopping at `to`
 */
export function* rowsBetween(
  reading: Iterable<PixelRows | Work>,
  width: number,
  from: number,
  to: number,
  readsOn: boolean,
): Generator<PixelRows | Work> {
  for (const strip of reading) {
    if (typeof strip === 'number') {
      yield strip;
      continue;
    }
    const { y, rows, pixels } = strip;
    const top = Math.max(0, from - y);
    const bottom = Math.min(rows, to - y);
    if (top < bottom) {
      const kept = pixels.subarray(top * width * 4, bottom * width * 4);
      yield { y: y + top - from, rows: bottom - top, pixels: kept };
    } else {
      yield rowsWork(rows, width);
    }
    if (y + rows >= to && !readsOn) return;
  }
}

/**
 * Passes on the items of a read, and gives way to other jobs on the way.
 * @param slice counts the work that comes in place of items
 */
export async function* paced<Item extends object>(
  reading: Iterable<Item | Work>,
  slice: Pick<TimeSlice, 'spend'>,
): AsyncGenerator<Item> {
  for (const item of reading) {
    if (typeof item !== 'number') {
      yield item;
      continue;
    }
    const pause = slice.spend(item);
    if (pause) await pause;
  }
}

/** An image that can be read from top to bottom. */
interface Readable {
  readonly width: number;
  readonly height: number;
  strips(): Iterable<PixelRows | Work>;
}

/**
 * Reads an image once, and gives way to other jobs on the way. Passes on large strips in pieces, because
 * whoever takes them spends more time on a pixel than whoever made them.
 * @param slice counts the rows, and the work that came in place of rows
 * @throws Error when the image ends early: the output would seem complete
 */
export async function* pacedStrips(
  source: Readable,
  slice: Pick<TimeSlice, 'spend'>,
): AsyncGenerator<PixelRows> {
  const { width, height } = source;
  let read = 0;
  for await (const strip of paced(source.strips(), slice)) {
    const most = rowsOfStrip(width, strip.rows);
    for (let from = 0; from < strip.rows; from += most) {
      const rows = Math.min(most, strip.rows - from);
      const pause = slice.spend(rowsWork(rows, width));
      if (pause) await pause;
      const pixels = strip.pixels.subarray(from * width * 4, (from + rows) * width * 4);
      yield { y: strip.y + from, rows, pixels };
    }
    read += strip.rows;
  }
  if (read !== height) throw new Error(`The raster ended after ${read} of ${height} rows`);
}
