import type { TimeSlice } from './time_slice.ts';
import { rowsOfStrip, rowsWork, type Work } from './work.ts';

/** Rows of pixels as a reading gives them (`Strip` of src/codecs/types.ts), as far as pacing needs them. */
interface PixelRows {
  readonly y: number;
  readonly rows: number;
  readonly pixels: Uint8Array;
}

/**
 * What `change` makes of each strip of a reading, or of whatever else it gives; work between them is passed
 * on.
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

/** The same strips, each changed in place before it is passed on. */
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
 * The rows [from, to) of a reading of this width, counted from the first of them; work in place of what lies
 * above. Reading ends with the last of them, unless it is to go on: at an image's end, where defects show.
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

/** What can be read from top to bottom. */
interface Readable {
  readonly width: number;
  readonly height: number;
  strips(): Iterable<PixelRows | Work>;
}

/**
 * Reads an image once, giving way to other jobs on the way. Strips that are large are handed on in pieces:
 * whoever takes them spends more on a pixel than those who made them.
 * @param slice counts the rows, and work that came in their place
 * @throws Error where the image ends early: the output would seem complete
 */
export async function* pacedStrips(
  source: Readable,
  slice: Pick<TimeSlice, 'spend'>,
): AsyncGenerator<PixelRows> {
  const { width, height } = source;
  let read = 0;
  for (const strip of source.strips()) {
    if (typeof strip === 'number') {
      const pause = slice.spend(strip);
      if (pause) await pause;
      continue;
    }
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
