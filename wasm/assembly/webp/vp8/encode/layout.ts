/** All memory of an encoder. */

import { beginLayout, endCounting, isLaidOut, reserve } from '../../../memory';
import { RECORD_BYTES } from '../common/macroblock';
import { ALL_NODES } from '../common/token_tree';
import { CHROMA_ERROR_BYTES } from './chroma_errors';
import { FRAME_HEADER_BYTES, MOST_PARTITION_BYTES } from './frame_header';
import { PRICES_BYTES } from './prices';
import { STATISTICS_BYTES } from './probabilities';
import { MARGIN } from './rows';
import { SEGMENT_BYTES } from './segments';
import { EMPTY_ENDS_BYTES } from './skipping';
import { BoolWriter, Encoder, SEGMENTS } from './state';

/** Bytes of a piece of output that is handed over. */
export const PIECE_BYTES: usize = 57280;
/** First partition of small pictures: bytes for the header, and per macroblock. */
const PARTITION_BASE_BYTES: usize = 4096;
const MACROBLOCK_BYTES: usize = 24;

/** The most bytes that the first partition may have. */
export function partitionBytes(columns: i32, rows: i32): usize {
  return min(MOST_PARTITION_BYTES, PARTITION_BASE_BYTES + <usize>(columns * rows) * MACROBLOCK_BYTES);
}

/** Reserves everything. @returns the encoder, 0 without memory */
export function allocateEncoder(width: i32, height: i32, alpha: bool): usize {
  beginLayout(false);
  return layOut(width, height, alpha);
}

function layOut(width: i32, height: i32, alpha: bool): usize {
  const columns = (width + 15) >> 4;
  const rows = (height + 15) >> 4;
  const samples = (<usize>columns) << 4;
  const stride = samples + MARGIN;
  const at = reserve(offsetof<Encoder>());
  const writers = reserve(2 * offsetof<BoolWriter>());
  const luma = reserve(16 * stride + MARGIN);
  const chroma = reserve(8 * stride + MARGIN);
  const clear = alpha ? reserve(16 * samples) : 0;
  const pairs = reserve(samples << 2);
  const sourceLumaAbove = reserve(stride + MARGIN);
  const sourceChromaAbove = reserve(stride + MARGIN);
  const lumaAbove = reserve(stride + MARGIN);
  const chromaAbove = reserve(stride + MARGIN);
  const records = reserve(<usize>columns * RECORD_BYTES);
  const left = reserve(RECORD_BYTES);
  const chromaErrors = reserve(<usize>columns * CHROMA_ERROR_BYTES);
  const susceptibilities = reserve(<usize>columns);
  const segments = reserve(<usize>SEGMENTS * SEGMENT_BYTES);
  const histogram = reserve(1024);
  const segmentOf = reserve(256);
  const inSegment = reserve(<usize>SEGMENTS * 4);
  const emptyEnds = reserve(EMPTY_ENDS_BYTES);
  const statistics = reserve(STATISTICS_BYTES);
  const probabilities = reserve(ALL_NODES);
  const prices = reserve(PRICES_BYTES);
  const piece = reserve(PIECE_BYTES);
  const frame = reserve(FRAME_HEADER_BYTES + partitionBytes(columns, rows));
  if (!isLaidOut()) return 0;
  memory.fill(at, 0, offsetof<Encoder>());
  const encoder = changetype<Encoder>(at);
  encoder.width = width;
  encoder.height = height;
  encoder.columns = columns;
  encoder.rows = rows;
  encoder.stride = stride;
  encoder.modes = changetype<BoolWriter>(writers);
  encoder.tokens = changetype<BoolWriter>(writers + offsetof<BoolWriter>());
  encoder.luma = luma + MARGIN;
  encoder.chroma = chroma + MARGIN;
  encoder.alpha = clear;
  encoder.pairs = pairs;
  encoder.sourceLumaAbove = sourceLumaAbove + MARGIN;
  encoder.sourceChromaAbove = sourceChromaAbove + MARGIN;
  encoder.lumaAbove = lumaAbove + MARGIN;
  encoder.chromaAbove = chromaAbove + MARGIN;
  encoder.records = records;
  encoder.left = left;
  encoder.chromaErrors = chromaErrors;
  encoder.susceptibilities = susceptibilities;
  encoder.segments = segments;
  encoder.histogram = histogram;
  encoder.segmentOf = segmentOf;
  encoder.inSegment = inSegment;
  encoder.emptyEnds = emptyEnds;
  encoder.statistics = statistics;
  encoder.probabilities = probabilities;
  encoder.prices = prices;
  encoder.piece = piece;
  encoder.frame = frame;
  memory.fill(histogram, 0, 1024);
  memory.fill(inSegment, 0, <usize>SEGMENTS * 4);
  memory.fill(emptyEnds, 0, EMPTY_ENDS_BYTES);
  memory.fill(statistics, 0, STATISTICS_BYTES);
  return at;
}

/** Exact number of bytes that the encoder of a picture of this size takes. */
export function countBytes(width: i32, height: i32, alpha: bool): usize {
  beginLayout(true);
  layOut(width, height, alpha);
  return <usize>endCounting();
}
