/**
 * Measures how susceptible a macroblock is to quantisation: from the distribution of its coefficients after
 * simple predictions from the picture itself. The measure is that of libwebp's encoder, because its qualities
 * depend on it.
 */
import { Mode } from '../common/macroblock';
import { predictChroma, predictLuma } from '../common/predict';
import { forwardDct } from './forward_transform';
import { Encoder } from './state';
import { CHROMA_STRIDE, chromaPlace, LUMA_STRIDE, loadBlock, lumaPlace, SOURCE } from './workspace';

const LUMA: usize = memory.data(16 * 48 + 32, 16);
const CHROMA: usize = memory.data(8 * 32 + 32, 16);
const COEFFICIENTS: usize = memory.data(32, 16);
/** Histogram of coefficients, in bins of 8 (32 bins). */
const BINS: usize = memory.data(128, 16);
const LAST_BIN: i32 = 31;
const SCALE: i32 = 510;

/** The activity of the chroma measured last by susceptibilityAt: the inverse of susceptibility, unbounded. */
export let chromaActivity: i32 = 0;

function countBlock(block: usize, prediction: v128): void {
  forwardDct(v128.load(SOURCE + (block << 4)), prediction, COEFFICIENTS);
  const upper = i16x8.shr_u(i16x8.abs(v128.load(COEFFICIENTS)), 3);
  const lower = i16x8.shr_u(i16x8.abs(v128.load(COEFFICIENTS, 16)), 3);
  const bins = i8x16.min_u(i8x16.narrow_i16x8_u(upper, lower), i8x16.splat(<i8>LAST_BIN));
  v128.store(COEFFICIENTS, bins);
  // Most coefficients are in the first bin.
  let others = i8x16.bitmask(i8x16.ne(bins, i64x2.splat(0)));
  store<i32>(BINS, load<i32>(BINS) + 16 - popcnt<i32>(others));
  for (; others !== 0; others &= others - 1) {
    const bin = BINS + ((<usize>load<u8>(COEFFICIENTS + <usize>ctz<i32>(others))) << 2);
    store<i32>(bin, load<i32>(bin) + 1);
  }
}

/** The histogram's activity: grows with the highest bin in use, and falls as the fullest bin grows. */
function activity(): i32 {
  let most: i32 = 0;
  let last: i32 = 1;
  for (let bin = 0; bin <= LAST_BIN; bin++) {
    const number = load<i32>(BINS + ((<usize>bin) << 2));
    if (number === 0) continue;
    most = max(most, number);
    last = bin;
  }
  return most > 1 ? (SCALE * last) / most : 0;
}

/** @returns the susceptibility of the macroblock in SOURCE, 0 to 255: higher is plainer */
export function susceptibilityAt(encoder: Encoder, column: i32): i32 {
  const x = (<usize>column) << 4;
  const hasAbove = encoder.row > 0;
  const hasLeft = column > 0;
  const luma = LUMA + 16;
  const chroma = CHROMA + 16;
  for (let y: usize = 0; y < 16; y++) {
    v128.store(luma + y * LUMA_STRIDE - 16, v128.load(encoder.luma + y * encoder.stride + x - 16));
  }
  for (let y: usize = 0; y < 8; y++) {
    v128.store(chroma + y * CHROMA_STRIDE - 16, v128.load(encoder.chroma + y * encoder.stride + x - 16));
  }
  let ofLuma: i32 = 0;
  let ofChroma: i32 = 0;
  for (let mode = <i32>Mode.Dc; mode <= Mode.TrueMotion; mode++) {
    predictLuma(mode, luma, LUMA_STRIDE, encoder.sourceLumaAbove + x, hasAbove, hasLeft);
    memory.fill(BINS, 0, 128);
    for (let i: usize = 0; i < 16; i++) countBlock(i, loadBlock(luma + lumaPlace(i), LUMA_STRIDE));
    ofLuma = max(ofLuma, activity());
    predictChroma(mode, chroma, CHROMA_STRIDE, encoder.sourceChromaAbove + x, hasAbove, hasLeft);
    memory.fill(BINS, 0, 128);
    for (let i: usize = 0; i < 8; i++) {
      countBlock(16 + i, loadBlock(chroma + chromaPlace(i), CHROMA_STRIDE));
    }
    ofChroma = max(ofChroma, activity());
  }
  chromaActivity = ofChroma;
  return min(max(255 - ((3 * ofLuma + ofChroma + 2) >> 2), 0), 255);
}
