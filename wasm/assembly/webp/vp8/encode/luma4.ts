/**
 * Codes luma predicted in 4 × 4 blocks (RFC 6386 section 12.3): each with the best of ten modes by rate and
 * error.
 */

import { BLOCK_BYTES, BlockType, MODES, Mode, NONZERO_LUMA } from '../common/macroblock';
import { addAll } from '../common/transform';
import { INVERSE_WEIGHTS, WEIGHTS } from './error_weights';
import { forwardDct } from './forward_transform';
import { lumaModePrice, subblockModePrices } from './mode_trees';
import { priceBlock } from './prices';
import { dequantise, fewLevels, quantise } from './quantise';
import { BLOCK_ERROR, refine, refined } from './refine';
import { ESTIMATE_WEIGHT, LAMBDA, LUMA_TABLE, TEXTURE } from './segments';
import { Encoder } from './state';
import { predictSubblocks, SUBBLOCK_MODE_COUNT } from './subblock_predictions';
import { textureOf } from './texture';
import {
  LASTS,
  LEVELS,
  LUMA,
  LUMA_ABOVE,
  LUMA_STRIDE,
  lumaPlace,
  SOURCE,
  SUBBLOCK_MODES,
  squaredError,
  storeBlock,
  TRIAL_LEVELS,
} from './workspace';

/**
 * Modes are tried in the order of their estimates, the sums of their coefficients: only those whose estimate
 * is at most that many 256ths of a bit and half the first's worse than the first's.
 */
const NEAR_PRICE: i32 = 1200;
const NEAR_SHIFT: i32 = 1;
/** Levels are refined where the score before that is at most this many times the best one so far. */
const NEAR_SCORE: f64 = 1.08;
/**
 * Extra cost of a directional mode, in 256ths of a bit, where few levels follow: smooth blocks look best when
 * predicted from the mean around them. As in libwebp's encoder.
 */
const DIRECTION_PRICE: f64 = 140;
/** Each mode's prediction: 16 samples. */
const PREDICTIONS: usize = memory.data(160, 16);
const COEFFICIENTS: usize = memory.data(320, 16);
const DECODED: usize = memory.data(32, 16);
/** For each mode: its estimate, shifted left, and the mode itself. Two more entries are never the least. */
const ESTIMATES: usize = memory.data(48, 16);
const MODE_BITS: i32 = 4;

/** Levels, and the places of the last ones, kept here until the whole macroblock is known to be better. */
const OWN_LEVELS: usize = memory.data(16 * 32, 16);
const OWN_LASTS: usize = memory.data(16, 16);
/** Samples of the block's best mode so far. */
const SAMPLES: usize = memory.data(16, 16);
const ABOVE: usize = memory.data(8, 16);
const LEFT: usize = memory.data(8, 16);
const ABOVE_MODES: usize = ABOVE + 4;
const LEFT_MODES: usize = LEFT + 4;

/**
 * Codes the macroblock in this way if its score is better than `limit`: samples in the workspace, levels in
 * LEVELS and LASTS, modes in SUBBLOCK_MODES.
 * @returns whether it is better
 */
export function searchLuma4(encoder: Encoder, segment: usize, record: usize, limit: f64): bool {
  const lambda = load<f64>(segment, LAMBDA);
  const modeLambda = lambda * encoder.pressure;
  store<u32>(ABOVE, load<u32>(record, NONZERO_LUMA));
  store<u32>(ABOVE_MODES, load<u32>(record, MODES));
  store<u32>(LEFT, load<u32>(encoder.left, NONZERO_LUMA));
  store<u32>(LEFT_MODES, load<u32>(encoder.left, MODES));
  let total = modeLambda * <f64>lumaModePrice(Mode.Subblocks);
  for (let y: usize = 0; y < 4; y++) {
    for (let x: usize = 0; x < 4; x++) {
      const block = (y << 2) + x;
      const inverse = load<f64>(INVERSE_WEIGHTS + (block << 3));
      const score = searchBlock(
        encoder,
        segment,
        block,
        LEFT + y,
        ABOVE + x,
        lambda * inverse,
        modeLambda * inverse,
      );
      total += load<f64>(WEIGHTS + (block << 3)) * score;
      if (total >= limit) return false;
    }
  }
  encoder.lumaMode = Mode.Subblocks;
  memory.copy(LEVELS, OWN_LEVELS, 16 * BLOCK_BYTES);
  v128.store(LASTS, v128.load(OWN_LASTS));
  return true;
}

/** The sum of 16 coefficients' magnitudes. */
// @inline
function magnitudes(coefficients: usize): i32 {
  const sums = i16x8.add(i16x8.abs(v128.load(coefficients)), i16x8.abs(v128.load(coefficients, 16)));
  const quarters = i32x4.extadd_pairwise_i16x8_u(sums);
  const halves = i32x4.add(quarters, v128.shuffle<i32>(quarters, quarters, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

/** The least of four u32, in all four lanes. */
// @inline
function leastOf(four: v128): v128 {
  const halves = i32x4.min_u(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return i32x4.min_u(halves, v128.shuffle<i32>(halves, halves, 1, 0, 3, 2));
}

/**
 * Finds the block's best mode.
 * @param left, above addresses of its neighbours' contexts; their modes are four bytes before
 * @returns its score
 */
function searchBlock(
  encoder: Encoder,
  segment: usize,
  block: usize,
  left: usize,
  above: usize,
  lambda: f64,
  modeLambda: f64,
): f64 {
  const to = LUMA + lumaPlace(block);
  const upper = to - LUMA_STRIDE;
  const right = (block & 3) === 3 ? LUMA_ABOVE + 16 : upper + 4;
  const source = v128.load(SOURCE + (block << 4));
  const context = <i32>load<u8>(left) + load<u8>(above);
  const modePrices = subblockModePrices(load<u8>(above, 4), load<u8>(left, 4));
  predictSubblocks(to, LUMA_STRIDE, upper, right, PREDICTIONS);
  const weight = load<i32>(segment, ESTIMATE_WEIGHT);
  for (let mode: usize = 0; mode < SUBBLOCK_MODE_COUNT; mode++) {
    const coefficients = COEFFICIENTS + mode * BLOCK_BYTES;
    forwardDct(source, v128.load(PREDICTIONS + (mode << 4)), coefficients);
    const price = ((magnitudes(coefficients) * weight) >> 8) + <i32>load<u16>(modePrices + (mode << 1));
    store<i32>(ESTIMATES + (mode << 2), (price << MODE_BITS) | <i32>mode);
  }
  let estimates0 = v128.load(ESTIMATES);
  let estimates1 = v128.load(ESTIMATES, 16);
  let estimates2 = v128.or(v128.load(ESTIMATES, 32), i32x4(0, 0, -1, -1));
  let worst: i32 = 0;
  const table = segment + LUMA_TABLE;
  const prices = encoder.prices;
  const refineLambda = lambda / BLOCK_ERROR;
  const textureWeight = load<f64>(segment, TEXTURE);
  const texture = textureOf(source);
  let best: f64 = Infinity;
  let bestMode: usize = 0;
  for (let attempt = 0; attempt < <i32>SUBBLOCK_MODE_COUNT; attempt++) {
    const least = leastOf(i32x4.min_u(i32x4.min_u(estimates0, estimates1), estimates2));
    const estimate = i32x4.extract_lane(least, 0);
    if (attempt === 0) worst = estimate + (estimate >> NEAR_SHIFT) + (NEAR_PRICE << MODE_BITS);
    else if (estimate > worst) break;
    // So that it is not found again.
    estimates0 = v128.or(estimates0, i32x4.eq(estimates0, least));
    estimates1 = v128.or(estimates1, i32x4.eq(estimates1, least));
    estimates2 = v128.or(estimates2, i32x4.eq(estimates2, least));
    const mode = <usize>(estimate & ((1 << MODE_BITS) - 1));
    const coefficients = COEFFICIENTS + mode * BLOCK_BYTES;
    const modePrice = modeLambda * <f64>load<u16>(modePrices + (mode << 1));
    let last = quantise(coefficients, table, TRIAL_LEVELS, DECODED);
    const prediction = v128.load(PREDICTIONS + (mode << 4));
    let samples = addAll(prediction, DECODED);
    let error = <f64>squaredError(samples, source);
    const worstScore = NEAR_SCORE * best - modePrice - error;
    if (worstScore <= 0) continue;
    let price = priceBlock(prices, BlockType.Luma, 0, context, TRIAL_LEVELS, last);
    if (lambda * <f64>price > worstScore) continue;
    last = refine(
      prices,
      BlockType.Luma,
      coefficients,
      table,
      TRIAL_LEVELS,
      0,
      context,
      last,
      refineLambda,
      refineLambda,
    );
    if (refined) {
      dequantise(TRIAL_LEVELS, table, DECODED);
      price = priceBlock(prices, BlockType.Luma, 0, context, TRIAL_LEVELS, last);
      samples = addAll(prediction, DECODED);
      error = <f64>squaredError(samples, source);
    }
    const textureError = textureWeight * <f64>abs(textureOf(samples) - texture);
    const direction = mode > 0 && fewLevels(TRIAL_LEVELS) ? DIRECTION_PRICE : 0;
    const score = error + textureError + lambda * (<f64>price + direction) + modePrice;
    if (score >= best) continue;
    best = score;
    bestMode = mode;
    v128.store(SAMPLES, samples);
    v128.store(OWN_LEVELS + block * BLOCK_BYTES, v128.load(TRIAL_LEVELS));
    v128.store(OWN_LEVELS + block * BLOCK_BYTES, v128.load(TRIAL_LEVELS, 16), 16);
    store<i8>(OWN_LASTS + block, <i8>last);
  }
  storeBlock(to, LUMA_STRIDE, v128.load(SAMPLES));
  store<u8>(SUBBLOCK_MODES + block, bestMode);
  store<u8>(left, bestMode, 4);
  store<u8>(above, bestMode, 4);
  const any = <u8>(load<i8>(OWN_LASTS + block) >= 0);
  store<u8>(left, any);
  store<u8>(above, any);
  return best;
}
