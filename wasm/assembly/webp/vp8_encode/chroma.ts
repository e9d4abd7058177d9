/** Both components of chroma (RFC 6386 section 12.2): the best of four modes by rate and error. */
import { BlockType } from '../vp8/coefficients';
import { predictChroma } from '../vp8/predict';
import { BLOCK_BYTES, NONZERO_CHROMA } from '../vp8/state';
import { addAll } from '../vp8/transform';
import { forwardDct } from './forward_transform';
import { chromaModePrice } from './mode_trees';
import { priceBlock } from './prices';
import { quantise } from './quantise';
import { errorOfRows, noteError, takeNearest } from './screening';
import { CHROMA_TABLE, LAMBDA } from './segments';
import { Encoder } from './state';
import {
  BEST_CHROMA,
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

/** So many modes, whose predictions come nearest, are tried. */
const TRIED: i32 = 2;
const FIRST_BLOCK: usize = 16;

let price: i32 = 0;
let error: i32 = 0;

/** Finds the best mode: samples in the workspace, levels in LEVELS and LASTS. */
export function searchChroma(encoder: Encoder, segment: usize, record: usize, column: i32): void {
  const hasAbove = encoder.row > 0;
  const hasLeft = column > 0;
  const lambda = load<f64>(segment, LAMBDA);
  const at = FIRST_BLOCK * BLOCK_BYTES;
  let best: f64 = Infinity;
  const source = encoder.chroma + ((<usize>column) << 4);
  for (let mode = 0; mode < 4; mode++) {
    predictChroma(mode, CHROMA, CHROMA_STRIDE, CHROMA_ABOVE, hasAbove, hasLeft);
    noteError(mode, errorOfRows(CHROMA, CHROMA_STRIDE, source, encoder.stride, 8));
  }
  for (let tried = 0; tried < TRIED; tried++) {
    const mode = takeNearest();
    predictChroma(mode, CHROMA, CHROMA_STRIDE, CHROMA_ABOVE, hasAbove, hasLeft);
    attempt(encoder, segment, record);
    const score = <f64>error + lambda * (<f64>price + encoder.pressure * <f64>chromaModePrice(mode));
    if (score >= best) continue;
    best = score;
    encoder.chromaMode = mode;
    memory.copy(LEVELS + at, TRIAL_LEVELS + at, 8 * BLOCK_BYTES);
    store<u64>(LASTS + FIRST_BLOCK, load<u64>(TRIAL_LASTS + FIRST_BLOCK));
    for (let y: usize = 0; y < 8; y++) {
      v128.store(BEST_CHROMA + (y << 4), v128.load(CHROMA + y * CHROMA_STRIDE));
    }
  }
  for (let y: usize = 0; y < 8; y++) {
    v128.store(CHROMA + y * CHROMA_STRIDE, v128.load(BEST_CHROMA + (y << 4)));
  }
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
      forwardDct(source, prediction, COEFFICIENTS);
      const last = quantise(COEFFICIENTS, segment + CHROMA_TABLE, levels);
      store<i8>(TRIAL_LASTS + block, <i8>last);
      // Above the lower blocks are the upper ones of the same attempt.
      const above =
        row & 1
          ? <i32>(load<i8>(TRIAL_LASTS + block - 2) >= 0)
          : <i32>load<u8>(record + (row & 2) + x, NONZERO_CHROMA);
      price += priceBlock(encoder.prices, BlockType.Chroma, 0, before + above, levels, last);
      before = <i32>(last >= 0);
      const samples = addAll(prediction, COEFFICIENTS);
      error += squaredError(samples, source);
      storeBlock(at, CHROMA_STRIDE, samples);
    }
  }
}
