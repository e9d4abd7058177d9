/**
 * The exports of the decoder for VP8 key frames (RFC 6386), which are lossy WebP pictures: open (header),
 * reserve (memory), start (a read), next (the pixel rows that the next macroblock row completes). Host side:
 * src/core/webp/lossy.ts.
 */
import { BLOCK_BYTES, BLOCKS, Mode, RECORD_BYTES, STRENGTH } from '../common/macroblock';
import { startReader } from './bool_reader';
import { storeAlpha } from './colour';
import * as Vp8Fault from './faults';
import { FLAGS, INNER_FLAG, STRENGTH_BYTES } from './filter_strengths';
import { readHeader } from './header';
import { allocateDecoder, allocateRows, countBytes } from './layout';
import { filterRow } from './loop_filter';
import { readModes } from './modes';
import { emitRows, keepLowestRow, readyRows, startPlanes } from './planes';
import { reconstruct } from './reconstruct';
import { readResiduals, skipResiduals } from './residuals';
import { BoolReader, Decoder, fail } from './state';

/** Bytes that the decoder of a picture of this size takes in all, without its file. */
export function webpLossyBytes(width: i32, height: i32): usize {
  return countBytes(width, height);
}

/**
 * Reads the header of the frame at [at, at + length): the payload of a chunk "VP8 ".
 * @returns the decoder, to be checked with webpLossyFault first; 0 when there is no memory for it
 */
export function webpLossyOpen(at: usize, length: usize): usize {
  const decoderAt = allocateDecoder();
  if (!decoderAt) return 0;
  const decoder = changetype<Decoder>(decoderAt);
  decoder.input = at;
  decoder.inputEnd = at + length;
  readHeader(decoder);
  return decoderAt;
}

/** The first fault met, 0 if none. */
export function webpLossyFault(decoder: Decoder): i32 {
  return decoder.fault;
}

/** Width in pixels, 1 to 16383. */
export function webpLossyWidth(decoder: Decoder): i32 {
  return decoder.width;
}

export function webpLossyHeight(decoder: Decoder): i32 {
  return decoder.height;
}

/** First pixel row of the macroblock row decoded last; error messages name it. */
export function webpLossyRowReached(decoder: Decoder): i32 {
  return max(0, decoder.row) * 16;
}

/** Reserves all memory for reading. @returns false when there is no memory */
export function webpLossyReserve(decoder: Decoder): bool {
  return allocateRows(decoder);
}

/**
 * Starts a read from the top. Ends any other read of this decoder.
 * @param firstRow rows above it are decoded, but make no pixels
 */
export function webpLossyStart(decoder: Decoder, firstRow: i32): void {
  decoder.row = -1;
  decoder.firstRow = firstRow;
  decoder.readyFrom = 0;
  decoder.readyTo = 0;
  memory.copy(
    changetype<usize>(decoder.modes),
    changetype<usize>(decoder.modesStart),
    offsetof<BoolReader>(),
  );
  for (let i: usize = 0; i < <usize>decoder.partitionCount; i++) {
    const place = decoder.partitions + (i << 3);
    startReader(tokenReader(decoder, i), load<u32>(place), load<u32>(place, 4));
  }
  memory.fill(decoder.coefficients, 0, BLOCKS * BLOCK_BYTES);
  // Outside the picture, above and to the left, no block has coefficients and all modes are 0 (Dc).
  memory.fill(decoder.records, 0, <usize>decoder.columns * RECORD_BYTES);
  startPlanes(decoder);
}

// @inline
function tokenReader(decoder: Decoder, partition: usize): BoolReader {
  return changetype<BoolReader>(decoder.tokens + partition * offsetof<BoolReader>());
}

/**
 * Makes the next pixel rows, decoding macroblock rows as needed.
 * @returns the number of rows in the strip; 0 at the picture's end; −1 on a fault
 */
export function webpLossyNext(decoder: Decoder): i32 {
  while (decoder.readyFrom === decoder.readyTo) {
    if (decoder.fault !== Vp8Fault.NONE) return -1;
    if (decoder.row === decoder.rows - 1) return 0;
    decoder.row++;
    if (!decodeRow(decoder)) return -1;
    keepLowestRow(decoder);
    if (decoder.filtered) filterRow(decoder);
    readyRows(decoder);
  }
  return emitRows(decoder);
}

/** Reads and reconstructs one macroblock row. @returns false on a fault */
function decodeRow(decoder: Decoder): bool {
  const reader = tokenReader(decoder, <usize>(decoder.row & (decoder.partitionCount - 1)));
  memory.fill(decoder.left, 0, RECORD_BYTES);
  let record = decoder.records;
  for (let column = 0; column < decoder.columns; column++) {
    readModes(decoder, record);
    let coded = false;
    if (decoder.skipped) skipResiduals(decoder, record);
    else coded = readResiduals(decoder, reader, record);
    if (decoder.modes.ended) return fail(decoder, Vp8Fault.MODES_ENDED);
    if (reader.ended) return fail(decoder, Vp8Fault.TOKENS_ENDED);
    reconstruct(decoder, column, coded);
    if (decoder.filtered) noteStrength(decoder, record, coded);
    record += RECORD_BYTES;
  }
  return true;
}

/** Notes how a macroblock is filtered: its inner edges only if it has coefficients or subblock modes. */
function noteStrength(decoder: Decoder, record: usize, coded: bool): void {
  const subblocks = decoder.lumaMode === Mode.Subblocks;
  const from = decoder.strengths + <usize>(decoder.segment * 2 + <i32>subblocks) * STRENGTH_BYTES;
  const to = record + STRENGTH;
  store<u16>(to, load<u16>(from));
  store<u8>(to, load<u8>(from, FLAGS) | (coded ? INNER_FLAG : 0), FLAGS);
}

/** The strip that webpLossyNext made: rows of RGBA. */
export function webpLossyStrip(decoder: Decoder): usize {
  return decoder.strip;
}

/** The first row of that strip. */
export function webpLossyStripY(decoder: Decoder): i32 {
  return decoder.stripY;
}

/**
 * Stores the alpha of one row of the strip.
 * @param row 0 for the strip's first
 * @param at one byte per pixel
 */
export function webpLossyAlpha(decoder: Decoder, row: i32, at: usize): void {
  storeAlpha(decoder.strip + ((<usize>row * <usize>decoder.width) << 2), at, decoder.width);
}
