/**
 * Codes luma predicted as one 16 × 16 block (RFC 6386 section 12.3): the best of four modes by rate and
 * error.
 */

import { BLOCK_BYTES, BlockType, NONZERO_LUMA, NONZERO_Y2, Y2_BLOCK } from '../common/macroblock';
import { predictLuma } from '../common/predict';
import { addAll, inverseWalsh } from '../common/transform';
import { INVERSE_WEIGHTS, inverseMeanWeight, WEIGHTS } from './error_weights';
import { forwardDct, forwardWalsh } from './forward_transform';
import { lumaModePrice } from './mode_trees';
import { priceBlock } from './prices';
import { dequantise, quantise } from './quantise';
import { BLOCK_ERROR, refine, Y2_ERROR } from './refine';
import { errorOfRows, isPlain, noteError, takeNearest } from './screening';
import { LAMBDA, LUMA_TABLE, Y2_TABLE } from './segments';
import { Encoder } from './state';
import {
  COEFFICIENTS,
  LASTS,
  LEVELS,
  LUMA,
  LUMA_ABOVE,
  LUMA_STRIDE,
  loadBlock,
  lumaPlace,
  SOURCE,
  squaredError,
  storeBlock,
} from './workspace';

const Y2: usize = COEFFICIENTS + Y2_BLOCK * BLOCK_BYTES;

const DECODED: usize = memory.data(25 * 32, 16);
const DECODED_Y2: usize = DECODED + Y2_BLOCK * BLOCK_BYTES;

/** Bits, in 256ths, and weighted squared error of the current attempt. */
let price: i32 = 0;
let error: f64 = 0;

/**
 * What a bit is worth in Y2's errors, relative to other coefficients': in smooth areas they are all that a
 * macroblock has, and what is predicted from it takes them over.
 */
const Y2_WEIGHT: f64 = 0.6;
/**
 * A score that was refined, as subblocks' are, would be lower by about this. Only the mode that is taken is
 * refined, because most macroblocks with detail are not coded in this way.
 */
const REFINED: f64 = 0.97;

/**
 * Modes tried in plain macroblocks, where this way of coding usually wins and its modes are close to each
 * other.
 */
const PLAIN_TRIES: i32 = 4;

/**
 * Takes the mode with the nearest prediction; if the macroblock is plain, the best of all. Its levels are
 * then in LEVELS, the places of the last ones in LASTS.
 * @param segment address of the segment
 * @param record this column's record
 * @returns its score: weighted squared error, plus what its bits are worth in that
 */
export function searchLuma16(encoder: Encoder, segment: usize, record: usize, column: i32): f64 {
  const hasAbove = encoder.row > 0;
  const hasLeft = column > 0;
  const source = encoder.luma + ((<usize>column) << 4);
  for (let mode = 0; mode < 4; mode++) {
    predictLuma(mode, LUMA, LUMA_STRIDE, LUMA_ABOVE, hasAbove, hasLeft);
    noteError(mode, errorOfRows(LUMA, LUMA_STRIDE, source, encoder.stride, 16));
  }
  const lambda = load<f64>(segment, LAMBDA);
  const tries = isPlain(lambda) ? PLAIN_TRIES : 1;
  let best: f64 = Infinity;
  let mode: i32 = 0;
  for (let tried = 0; tried < tries; tried++) {
    mode = takeNearest();
    attemptMode(encoder, segment, record, column, mode);
    const score = error + lambda * (<f64>price + encoder.pressure * <f64>lumaModePrice(mode));
    if (score >= best) continue;
    best = score;
    encoder.lumaMode = mode;
  }
  if (mode !== encoder.lumaMode) attemptMode(encoder, segment, record, column, encoder.lumaMode);
  return best * REFINED;
}

function attemptMode(encoder: Encoder, segment: usize, record: usize, column: i32, mode: i32): void {
  predictLuma(mode, LUMA, LUMA_STRIDE, LUMA_ABOVE, encoder.row > 0, column > 0);
  attempt(encoder, segment, record);
}

/** Codes the chosen mode again with refined levels. Its samples are then in the workspace. */
export function codeLuma16(encoder: Encoder, segment: usize, record: usize, column: i32): void {
  const prices = encoder.prices;
  const lambda = load<f64>(segment, LAMBDA) / BLOCK_ERROR;
  const table = segment + LUMA_TABLE;
  predictLuma(encoder.lumaMode, LUMA, LUMA_STRIDE, LUMA_ABOVE, encoder.row > 0, column > 0);
  const y2Levels = LEVELS + Y2_BLOCK * BLOCK_BYTES;
  const y2Lambda = (load<f64>(segment, LAMBDA) * inverseMeanWeight * Y2_WEIGHT) / Y2_ERROR;
  const y2Last = refine(
    prices,
    BlockType.Y2,
    COEFFICIENTS + Y2_BLOCK * BLOCK_BYTES,
    segment + Y2_TABLE,
    y2Levels,
    0,
    <i32>load<u8>(record, NONZERO_Y2) + load<u8>(encoder.left, NONZERO_Y2),
    load<i8>(LASTS + Y2_BLOCK),
    y2Lambda,
    y2Lambda,
  );
  store<i8>(LASTS + Y2_BLOCK, <i8>y2Last);
  dequantise(y2Levels, segment + Y2_TABLE, DECODED_Y2);
  let above = load<u32>(record, NONZERO_LUMA);
  for (let y: usize = 0; y < 4; y++) {
    let before = <i32>load<u8>(encoder.left + y, NONZERO_LUMA);
    for (let x: usize = 0; x < 4; x++) {
      const i = (y << 2) + x;
      const levels = LEVELS + i * BLOCK_BYTES;
      const shift = (<u32>x) << 3;
      const context = before + <i32>((above >> shift) & 1);
      const block = COEFFICIENTS + i * BLOCK_BYTES;
      const type = BlockType.LumaWithoutDc;
      const quantised = load<i8>(LASTS + i);
      const own = lambda * load<f64>(INVERSE_WEIGHTS + (i << 3));
      const last = refine(prices, type, block, table, levels, 1, context, quantised, own, own);
      store<i8>(LASTS + i, <i8>last);
      before = <i32>(last > 0);
      above = (above & ~((<u32>255) << shift)) | ((<u32>before) << shift);
      dequantise(levels, table, DECODED + i * BLOCK_BYTES);
    }
  }
  reconstruct();
}

/**
 * Codes the difference from the prediction in the workspace, and turns the prediction into what a decoder
 * sees.
 */
function attempt(encoder: Encoder, segment: usize, record: usize): void {
  const prices = encoder.prices;
  for (let i: usize = 0; i < 16; i++) {
    const prediction = loadBlock(LUMA + lumaPlace(i), LUMA_STRIDE);
    forwardDct(v128.load(SOURCE + (i << 4)), prediction, COEFFICIENTS + i * BLOCK_BYTES);
  }
  forwardWalsh(COEFFICIENTS, Y2);
  const y2Levels = LEVELS + Y2_BLOCK * BLOCK_BYTES;
  const y2Last = quantise(Y2, segment + Y2_TABLE, y2Levels, DECODED_Y2);
  store<i8>(LASTS + Y2_BLOCK, <i8>y2Last);
  const y2Context = <i32>load<u8>(record, NONZERO_Y2) + load<u8>(encoder.left, NONZERO_Y2);
  price = priceBlock(prices, BlockType.Y2, 0, y2Context, y2Levels, y2Last);

  let above = load<u32>(record, NONZERO_LUMA);
  for (let y: usize = 0; y < 4; y++) {
    let before = <i32>load<u8>(encoder.left + y, NONZERO_LUMA);
    for (let x: usize = 0; x < 4; x++) {
      const i = (y << 2) + x;
      const levels = LEVELS + i * BLOCK_BYTES;
      const last = quantise(
        COEFFICIENTS + i * BLOCK_BYTES,
        segment + LUMA_TABLE,
        levels,
        DECODED + i * BLOCK_BYTES,
      );
      store<i8>(LASTS + i, <i8>last);
      const shift = (<u32>x) << 3;
      const context = before + <i32>((above >> shift) & 1);
      price += priceBlock(prices, BlockType.LumaWithoutDc, 1, context, levels, last);
      before = <i32>(last > 0);
      above = (above & ~((<u32>255) << shift)) | ((<u32>before) << shift);
    }
  }
  reconstruct();
}

/** Adds the coefficients in DECODED to the predictions in the workspace. */
function reconstruct(): void {
  inverseWalsh(DECODED_Y2, DECODED);
  error = 0;
  for (let i: usize = 0; i < 16; i++) {
    const at = LUMA + lumaPlace(i);
    const samples = addAll(loadBlock(at, LUMA_STRIDE), DECODED + i * BLOCK_BYTES);
    error += load<f64>(WEIGHTS + (i << 3)) * <f64>squaredError(samples, v128.load(SOURCE + (i << 4)));
    storeBlock(at, LUMA_STRIDE, samples);
  }
}
