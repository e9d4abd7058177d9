/** All memory of a decoder: one part reserved by opening, and one that depends on the picture's size. */

import { beginLayout, endCounting, isLaidOut, reserve } from '../../../memory';
import { BLOCK_BYTES, BLOCKS, RECORD_BYTES } from '../common/macroblock';
import { PROBABILITIES_BYTES } from './coefficients';
import { STRENGTH_BYTES } from './filter_strengths';
import { TRANSPOSED_BYTES } from './loop_filter';
import { CHROMA_ROWS, LUMA_ROWS, MARGIN } from './planes';
import { QUANTISER_BYTES } from './quantisers';
import { BoolReader, Decoder, MAX_PARTITIONS, SEGMENTS } from './state';

/** Most pixel rows of a strip. */
const STRIP_ROWS: i32 = 16;
/** Bytes that may be written past a row's end. */
const STRIP_SLACK: usize = 64;

/** Reserves and clears what reading the header needs. @returns the decoder, 0 without memory */
export function allocateDecoder(): usize {
  beginLayout(false);
  return layOutDecoder();
}

function layOutDecoder(): usize {
  const at = reserve(offsetof<Decoder>());
  const readers = reserve((MAX_PARTITIONS + 2) * offsetof<BoolReader>());
  const partitions = reserve(MAX_PARTITIONS * 8);
  const segments = reserve(SEGMENTS * 12);
  const strengths = reserve(SEGMENTS * 2 * STRENGTH_BYTES);
  const quantisers = reserve(SEGMENTS * QUANTISER_BYTES);
  const probabilities = reserve(PROBABILITIES_BYTES);
  if (!isLaidOut()) return 0;
  memory.fill(at, 0, offsetof<Decoder>());
  memory.fill(segments, 0, SEGMENTS * 12);
  const decoder = changetype<Decoder>(at);
  decoder.modesStart = changetype<BoolReader>(readers);
  decoder.modes = changetype<BoolReader>(readers + offsetof<BoolReader>());
  decoder.tokens = readers + 2 * offsetof<BoolReader>();
  decoder.partitions = partitions;
  decoder.segmentQuantisers = segments;
  decoder.segmentLevels = segments + SEGMENTS * 4;
  decoder.segmentProbabilities = segments + SEGMENTS * 8;
  decoder.strengths = strengths;
  decoder.quantisers = quantisers;
  decoder.probabilities = probabilities;
  return at;
}

/** Reserves what decoding needs, after the header was read. @returns false without memory */
export function allocateRows(decoder: Decoder): bool {
  beginLayout(false);
  layOutRows(decoder);
  return isLaidOut();
}

function layOutRows(decoder: Decoder): void {
  const columns = <usize>((decoder.width + 15) >> 4);
  const stride = columns * 16 + MARGIN;
  decoder.stride = stride;
  decoder.stripRows = min(STRIP_ROWS, decoder.height);
  decoder.coefficients = reserve(BLOCKS * BLOCK_BYTES);
  decoder.extents = reserve(BLOCKS);
  decoder.subblockModes = reserve(16);
  decoder.left = reserve(RECORD_BYTES);
  decoder.transposed = reserve(TRANSPOSED_BYTES);
  decoder.records = reserve(columns * RECORD_BYTES);
  decoder.lumaAbove = reserve(stride + MARGIN) + MARGIN;
  decoder.chromaAbove = reserve(stride + MARGIN) + MARGIN;
  decoder.luma = reserve(LUMA_ROWS * stride + MARGIN) + MARGIN;
  decoder.chroma = reserve(CHROMA_ROWS * stride + MARGIN) + MARGIN;
  decoder.strip = reserve(<usize>decoder.stripRows * <usize>decoder.width * 4 + STRIP_SLACK);
}

const COUNTED: usize = memory.data(offsetof<Decoder>(), 16);

/** Exact number of bytes that the decoder of a picture of this size takes. */
export function countBytes(width: i32, height: i32): usize {
  beginLayout(true);
  const decoder = changetype<Decoder>(COUNTED);
  decoder.width = width;
  decoder.height = height;
  layOutDecoder();
  layOutRows(decoder);
  return <usize>endCounting();
}
