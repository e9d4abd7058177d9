/** Codes both chroma components (RFC 6386 section 12.2) with the best of four modes by rate and error. */

import { BLOCK_BYTES, BlockType, NONZERO_CHROMA } from '../common/macroblock';
import { predictChroma } from '../common/predict';
import { addAll } from '../common/transform';
import { CHROMA_ERROR_BYTES, errorBefore, keepErrors, passError, tryErrors } from './chroma_errors';
import { forwardDct } from './forward_transform';
import { chromaModePrice } from './mode_trees';
import { priceBlock } from './prices';
import { dequantise, quantise } from './quantise';
import { BLOCK_ERROR, refine } from './refine';
import { errorOfRows, isPlain, noteError, takeNearest } from './screening';
import { CHROMA_TABLE, LAMBDA } from './segments';
import { Encoder } from './state';
import {
  BEST_COEFFICIENTS,
  CHROMA,
  CHROMA_ABOVE,
  CHROMA_STRIDE,
  COEFFICIENTS,
  chromaPlace,
  LASTS,
  LEVELS,
  loadBlock,
  SOURCE,
  squaredError,
  storeBlock,
  TRIAL_LASTS,
  TRIAL_LEVELS,
} from './workspace';

/** This many modes, those with the nearest predictions, are tried; all of them if the macroblock is plain. */
const TRIES: i32 = 2;
const PLAIN_TRIES: i32 = 4;
/**
 * What a bit is worth in chroma's squared error, relative to luma's. A chroma sample is seen in four pixels,
 * and more strongly in each. PSNR of RGB alone would ask for 0.4, but structure is seen in luma, and this
 * leaves 1 % more for luma.
 */
const CHROMA_WEIGHT: f64 = 0.8;
const FIRST_BLOCK: usize = 16;
/**
 * What a bit is worth in errors of coefficients while levels are refined, relative to their worth in a
 * mode's score. It is less in a DC's, which spreads into the blocks predicted from this one. For the same
 * reason, the error left in a DC counts once more in a mode's score.
 */
const AC_WEIGHT: f64 = 0.55;
const DC_WEIGHT: f64 = 0.42;

const DECODED: usize = memory.data(32, 16);

let price: i32 = 0;
let error: i32 = 0;

/** Finds the best mode. Its samples are then in the workspace, its levels in LEVELS and LASTS. */
export function searchChroma(encoder: Encoder, segment: usize, record: usize, column: i32): void {
  const hasAbove = encoder.row > 0;
  const hasLeft = column > 0;
  const lambda = load<f64>(segment, LAMBDA) * CHROMA_WEIGHT;
  const at = FIRST_BLOCK * BLOCK_BYTES;
  let best: f64 = Infinity;
  const source = encoder.chroma + ((<usize>column) << 4);
  for (let mode = 0; mode < 4; mode++) {
    predictChroma(mode, CHROMA, CHROMA_STRIDE, CHROMA_ABOVE, hasAbove, hasLeft);
    noteError(mode, errorOfRows(CHROMA, CHROMA_STRIDE, source, encoder.stride, 8));
  }
  const errors = encoder.chromaErrors + <usize>column * CHROMA_ERROR_BYTES;
  const tries = isPlain(2 * load<f64>(segment, LAMBDA)) ? PLAIN_TRIES : TRIES;
  for (let tried = 0; tried < tries; tried++) {
    const mode = takeNearest();
    predictChroma(mode, CHROMA, CHROMA_STRIDE, CHROMA_ABOVE, hasAbove, hasLeft);
    tryErrors(errors);
    attempt(encoder, segment, record);
    const score = <f64>error + lambda * (<f64>price + encoder.pressure * <f64>chromaModePrice(mode));
    if (score >= best) continue;
    best = score;
    encoder.chromaMode = mode;
    memory.copy(LEVELS + at, TRIAL_LEVELS + at, 8 * BLOCK_BYTES);
    store<u64>(LASTS + FIRST_BLOCK, load<u64>(TRIAL_LASTS + FIRST_BLOCK));
    memory.copy(BEST_COEFFICIENTS + at, COEFFICIENTS + at, 8 * BLOCK_BYTES);
  }
  predictChroma(encoder.chromaMode, CHROMA, CHROMA_STRIDE, CHROMA_ABOVE, hasAbove, hasLeft);
  tryErrors(errors);
  refineBest(encoder, segment, record);
  keepErrors(errors);
}

function refineBest(encoder: Encoder, segment: usize, record: usize): void {
  const table = segment + CHROMA_TABLE;
  const lambda = (load<f64>(segment, LAMBDA) * CHROMA_WEIGHT) / BLOCK_ERROR;
  for (let row: usize = 0; row < 4; row++) {
    let before = <i32>load<u8>(encoder.left + row, NONZERO_CHROMA);
    for (let x: usize = 0; x < 2; x++) {
      const i = (row << 1) + x;
      const block = FIRST_BLOCK + i;
      const levels = LEVELS + block * BLOCK_BYTES;
      const own = BEST_COEFFICIENTS + block * BLOCK_BYTES;
      const last = refine(
        encoder.prices,
        BlockType.Chroma,
        own,
        table,
        levels,
        0,
        before + above(record, row, x, LASTS),
        load<i8>(LASTS + block),
        lambda * AC_WEIGHT,
        lambda * DC_WEIGHT,
      );
      store<i8>(LASTS + block, <i8>last);
      before = <i32>(last >= 0);
      dequantise(levels, table, DECODED);
      passError(i, <i32>load<i16>(own) - load<i16>(DECODED));
      const at = CHROMA + chromaPlace(i);
      storeBlock(at, CHROMA_STRIDE, addAll(loadBlock(at, CHROMA_STRIDE), DECODED));
    }
  }
}

/**
 * Whether the block above has coefficients. For the lower blocks that is an upper block of the same attempt.
 */
// @inline
function above(record: usize, row: usize, x: usize, lasts: usize): i32 {
  if (row & 1) return <i32>(load<i8>(lasts + FIRST_BLOCK + (row << 1) + x - 2) >= 0);
  return load<u8>(record + row + x, NONZERO_CHROMA);
}

function attempt(encoder: Encoder, segment: usize, record: usize): void {
  price = 0;
  error = 0;
  for (let row: usize = 0; row < 4; row++) {
    let before = <i32>load<u8>(encoder.left + row, NONZERO_CHROMA);
    for (let x: usize = 0; x < 2; x++) {
      const i = (row << 1) + x;
      const at = CHROMA + chromaPlace(i);
      const block = FIRST_BLOCK + i;
      const levels = TRIAL_LEVELS + block * BLOCK_BYTES;
      const source = v128.load(SOURCE + (block << 4));
      const prediction = loadBlock(at, CHROMA_STRIDE);
      const own = COEFFICIENTS + block * BLOCK_BYTES;
      forwardDct(source, prediction, own);
      store<i16>(own, load<i16>(own) + <i16>errorBefore(i));
      const last = quantise(own, segment + CHROMA_TABLE, levels, DECODED);
      store<i8>(TRIAL_LASTS + block, <i8>last);
      price += priceBlock(
        encoder.prices,
        BlockType.Chroma,
        0,
        before + above(record, row, x, TRIAL_LASTS),
        levels,
        last,
      );
      before = <i32>(last >= 0);
      const samples = addAll(prediction, DECODED);
      const left = <i32>load<i16>(own) - load<i16>(DECODED);
      passError(i, left);
      error += squaredError(samples, source) + ((left * left) >> 2);
      storeBlock(at, CHROMA_STRIDE, samples);
    }
  }
}
