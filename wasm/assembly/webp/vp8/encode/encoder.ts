/**
 * The exports of the encoder for VP8 key frames (RFC 6386), which are lossy WebP pictures. Pixels are read
 * twice: the first reading samples them and decides what the frame header says, the second writes.
 * Macroblocks are coded as they come. Coefficients leave in pieces; modes, which precede them in the file,
 * are kept until the end. Host side: src/core/webp/encode.ts.
 */
import { DEFAULT_PROBABILITIES } from '../common/coefficient_probabilities';
import { acFactor } from '../common/factors';
import { ALL_NODES } from '../common/token_tree';
import { fillBitPrices } from './bit_price';
import { finishWriter, startWriter } from './bool_writer';
import { startWeights } from './error_weights';
import { FRAME_HEADER_BYTES, startFirstPartition, storeFrameHeader } from './frame_header';
import { settleHeader } from './header_settings';
import { endRow, takeRow } from './intake';
import { allocateEncoder, countBytes, PIECE_BYTES, partitionBytes } from './layout';
import { fillModePrices } from './mode_trees';
import { fillPrices } from './prices';
import { startRows } from './rows';
import { indexFor } from './segments';
import { Encoder, Reading } from './state';

/**
 * From this many pixels on, only every sixteenth macroblock row is sampled, which makes files at most 0.1 %
 * longer.
 */
const SAMPLED_PIXELS: i32 = 2_000_000;
const SAMPLE_STEP: i32 = 16;
/** From this many pixels on, every fourth macroblock row is sampled: at most 0.4 % longer. */
const PARTLY_SAMPLED_PIXELS: i32 = 800_000;
const PARTIAL_STEP: i32 = 4;

/** Bytes that the encoder of a picture of this size takes in all, without its output. */
export function webpEncodeBytes(width: i32, height: i32, alpha: bool): usize {
  return countBytes(width, height, alpha);
}

/** Upper limit of the bytes at webpEncodeFrame. */
export function webpEncodeFrameLimit(width: i32, height: i32): usize {
  return FRAME_HEADER_BYTES + partitionBytes((width + 15) >> 4, (height + 15) >> 4);
}

/**
 * Starts the first reading.
 * @param width, height 1 to 16383; at most 52 megapixels, because more may not fit into the first partition
 * @param quality 0 to 100
 * @param alpha some pixels are not opaque: colours are weighted by their alpha
 * @returns the encoder, 0 when there is no memory for it
 */
export function webpEncodeBegin(width: i32, height: i32, quality: i32, alpha: bool): usize {
  fillBitPrices();
  fillModePrices();
  const at = allocateEncoder(width, height, alpha);
  if (!at) return 0;
  const encoder = changetype<Encoder>(at);
  encoder.quality = quality;
  encoder.pressure = 1;
  encoder.reading = Reading.Sampling;
  encoder.step = sampleStep(width * height);
  encoder.segmentCount = 4;
  startWeights(encoder, acFactor(indexFor(quality, 0)));
  memory.copy(encoder.probabilities, DEFAULT_PROBABILITIES, ALL_NODES);
  fillPrices(encoder.prices, encoder.probabilities);
  startRows(encoder);
  return at;
}

function sampleStep(pixels: i32): i32 {
  if (pixels < PARTLY_SAMPLED_PIXELS) return 1;
  return pixels < SAMPLED_PIXELS ? PARTIAL_STEP : SAMPLE_STEP;
}

/** Takes the reading's next `rows` rows of RGBA at `at`. */
export function webpEncodePush(encoder: Encoder, at: usize, rows: i32): void {
  for (let i = 0; i < rows; i++, at += (<usize>encoder.width) << 2) takeRow(encoder, at);
}

/** Ends the first reading, after all its rows were pushed, and starts the second. */
export function webpEncodeSecond(encoder: Encoder): void {
  if (encoder.rowsFilled > 0) endRow(encoder);
  settleHeader(encoder);
  encoder.reading = Reading.Writing;
  startRows(encoder);
  const start = encoder.frame + FRAME_HEADER_BYTES;
  startFirstPartition(encoder, start, start + partitionBytes(encoder.columns, encoder.rows));
  startWriter(encoder.tokens, encoder.piece, encoder.piece + PIECE_BYTES, true);
}

/** Ends the picture and hands over the last coefficients. @returns the length of webpEncodeFrame */
export function webpEncodeFinish(encoder: Encoder): usize {
  if (encoder.rowsFilled > 0) endRow(encoder);
  finishWriter(encoder.tokens);
  finishWriter(encoder.modes);
  storeFrameHeader(encoder, encoder.frame);
  return FRAME_HEADER_BYTES + (encoder.modes.at - encoder.modes.start);
}

/** Address of the frame's header and first partition, which precede everything handed over. */
export function webpEncodeFrame(encoder: Encoder): usize {
  return encoder.frame;
}
