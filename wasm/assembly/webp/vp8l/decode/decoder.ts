/**
 * The VP8L decoder's exports: open (all headers, all memory), restart, next (rows of RGBA). Host side:
 * src/core/webp/lossless.ts.
 */
import { startBits } from './bits';
import { makeOpaque, toRgba } from './colour';
import * as LosslessFault from './faults';
import { readHeader, readSize } from './header';
import { nextRow } from './image';
import { TABLE_ENTRIES } from './index_colours';
import { readRow } from './pixels';
import { rewind } from './rewind';
import { untransformToRgba } from './rows';
import {
  createLossless,
  fail,
  Lossless,
  reserveRing,
  reserveRows,
  reserveStrip,
  ringTakes,
  rowsTake,
  stateBytes,
  stripTakes,
  TransformKind,
  transformAt,
} from './state';

/** Log2 of the bytes per pixel in the ring. */
const PIXEL_SHIFT: u32 = 2;

/**
 * Reads everything before the pixels of the VP8L chunk whose payload is at [at, at + length), and reserves
 * all memory for reading them.
 * @param stripRows the most RGBA rows to hand out at a time
 * @param sideLimit the most bytes to reserve for what the header declares: `webpLosslessSideLimit`
 * @returns the decoder, to be checked with webpLosslessFault first; 0 when there is no memory for it
 */
export function webpLosslessOpen(at: usize, length: usize, stripRows: i32, sideLimit: usize): usize {
  const decoder = createLossless(0, 0, sideLimit);
  if (decoder === 0) return 0;
  const lossless = changetype<Lossless>(decoder);
  startBits(lossless.reader, at, length);
  if (!readSize(lossless)) return decoder;
  if (!reserveRing(lossless, PIXEL_SHIFT) || !reserveRows(lossless)) return decoder;
  if (!reserveStrip(lossless, min(stripRows, lossless.height)) || !readHeader(lossless)) return decoder;
  if (lossless.transformCount > 0 && transformAt(lossless, 0).kind === TransformKind.ColourIndexing) {
    toRgba(TABLE_ENTRIES, lossless.colourTable, lossless.colourTable);
  }
  lossless.main.shift = PIXEL_SHIFT;
  rewind(lossless);
  return decoder;
}

/** The first fault met, 0 if none. */
export function webpLosslessFault(decoder: usize): i32 {
  return changetype<Lossless>(decoder).fault;
}

export function webpLosslessWidth(decoder: usize): i32 {
  return changetype<Lossless>(decoder).width;
}

export function webpLosslessHeight(decoder: usize): i32 {
  return changetype<Lossless>(decoder).height;
}

/** Whether the header says that some pixel is not opaque: a hint, not a promise. */
export function webpLosslessAlphaUsed(decoder: usize): bool {
  return changetype<Lossless>(decoder).alphaUsed;
}

/** The row decoded next; error messages name it. */
export function webpLosslessRowReached(decoder: usize): i32 {
  return changetype<Lossless>(decoder).main.y;
}

/** Goes back to the first row. */
export function webpLosslessRestart(decoder: usize): void {
  rewind(changetype<Lossless>(decoder));
}

/** Decodes the next rows into the strip. @returns the number of rows; 0 at the image's end; −1 on a fault */
export function webpLosslessNext(decoder: usize): i32 {
  const lossless = changetype<Lossless>(decoder);
  if (lossless.fault !== LosslessFault.NONE) return -1;
  const main = lossless.main;
  const rows = min(lossless.stripRows, main.height - main.y);
  let to = lossless.strip;
  lossless.stripY = main.y;
  for (let i = 0; i < rows; i++) {
    const fault = readRow(main, lossless.reader);
    if (fault !== LosslessFault.NONE) {
      fail(lossless, fault);
      return -1;
    }
    untransformToRgba(lossless, main.rowAt, main.y, to);
    if (!lossless.alphaUsed) makeOpaque(lossless.width, to);
    to += (<usize>lossless.width) << 2;
    nextRow(main);
  }
  return rows;
}

/** Address of the rows that webpLosslessNext decoded: RGBA. */
export function webpLosslessStrip(decoder: usize): usize {
  return changetype<Lossless>(decoder).strip;
}

/** Bytes reserved for what the header declares. */
export function webpLosslessSideBytes(decoder: usize): usize {
  return changetype<Lossless>(decoder).sideBytes;
}

/** Bytes that a decoder takes in addition: those that only the picture's size decides. */
export function webpLosslessFixedBytes(width: i32, height: i32, stripRows: i32): usize {
  return (
    stateBytes() +
    ringTakes(width, height, PIXEL_SHIFT) +
    rowsTake(width) +
    stripTakes(width, min(stripRows, height))
  );
}
