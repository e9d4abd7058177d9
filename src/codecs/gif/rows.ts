import { decodingFault } from '../../faults.ts';
import { rowsWork } from '../../scheduling/work.ts';
import { LzwReader } from '../lzw/reader.ts';
import type { Work } from '../types.ts';
import { DataBlocks } from './blocks.ts';
import type { GifFrame } from './frame.ts';

/** First row and distance of rows of the four interlace passes (GIF89a appendix E). */
const PASSES = [
  { first: 0, step: 8 },
  { first: 4, step: 8 },
  { first: 2, step: 4 },
  { first: 1, step: 2 },
] as const;

/** The number of readers of the image data for an interlaced frame: one for each pass. */
export const INTERLACE_READERS = PASSES.length;

/** The rows of a frame from top to bottom, one palette index per pixel. */
export interface IndexRows {
  /**
   * Reads the next row into `into`, as wide as the frame.
   * @throws Fault 'decoding' naming the row when the data ends or is corrupt
   */
  next(into: Uint8Array): void;
}

/** Starts reading a frame's image data, yielding work on the way; `scratch` is a row as wide as the frame. */
export function* indexRows(
  bytes: Uint8Array,
  frame: GifFrame,
  scratch: Uint8Array,
): Generator<Work, IndexRows> {
  const { literalBits } = frame;
  const blocks = new DataBlocks(bytes, frame.dataAt);
  const reader = new LzwReader(blocks, { literalBits, earlyChange: false, descending: false });
  if (!frame.interlaced) return new PlainRows(reader, frame);
  return new InterlacedRows(yield* passReaders(reader, frame, scratch), frame);
}

function readRow(reader: LzwReader, into: Uint8Array, y: number, height: number): void {
  let count: number;
  try {
    count = reader.read(into);
  } catch (error) {
    throw decodingFault(`${(error as Error).message}, at row ${y} of ${height} of the GIF's first frame`);
  }
  if (count < into.length) {
    throw decodingFault(`The GIF's image data ends at row ${y} of ${height} of its first frame`);
  }
}

class PlainRows implements IndexRows {
  readonly reader: LzwReader;
  readonly frame: GifFrame;
  #y = 0;
  constructor(reader: LzwReader, frame: GifFrame) {
    this.reader = reader;
    this.frame = frame;
  }

  next(into: Uint8Array): void {
    readRow(this.reader, into, this.#y++, this.frame.height);
  }
}

/** A reader for each pass, positioned at its beginning. */
function* passReaders(
  first: LzwReader,
  { height, width }: GifFrame,
  scratch: Uint8Array,
): Generator<Work, LzwReader[]> {
  const readers = [first];
  let searching = first.clone();
  for (const { first: top, step } of PASSES.slice(0, -1)) {
    for (let y = top; y < height; y += step) {
      readRow(searching, scratch, y, height);
      yield rowsWork(1, width);
    }
    readers.push(searching);
    searching = searching.clone();
  }
  return readers;
}

/**
 * Rows are stored pass by pass but read from top to bottom, with one reader for each pass. Finding where the
 * passes begin means decoding the first three, half of the image; no more than a row is held.
 */
class InterlacedRows implements IndexRows {
  #y = 0;
  readonly #readers: readonly LzwReader[];
  readonly #frame: GifFrame;

  constructor(readers: readonly LzwReader[], frame: GifFrame) {
    this.#readers = readers;
    this.#frame = frame;
  }

  next(into: Uint8Array): void {
    const y = this.#y++;
    const pass = PASSES.findIndex(({ first, step }) => y % step === first);
    readRow(this.#readers[pass]!, into, y, this.#frame.height);
  }
}
