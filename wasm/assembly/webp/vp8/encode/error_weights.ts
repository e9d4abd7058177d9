/**
 * What squared errors of luma weigh: an error is seen where little else is, and hardly beside strong edges or
 * texture. So structural similarity (Wang et al. 2004) divides errors by the variance around them. A bit is
 * spent where it does most for that measure, without any of its own to say where: quantisers stay the same,
 * and only the choice of modes and levels knows of weights.
 */
import { Encoder } from './state';
import { SOURCE } from './workspace';

/** f64 per luma block: its errors' weight, and the inverse of that; then the inverse for the macroblock. */
export const WEIGHTS: usize = memory.data(128, 16);
export const INVERSE_WEIGHTS: usize = memory.data(128, 16);
export let inverseMeanWeight: f64 = 1;

/** Sums of each block's samples and of their squares. */
const SUMS: usize = memory.data(64, 16);
const SQUARES: usize = memory.data(64, 16);
/** Variances of the nine windows of 8 × 8 samples, and their weights. */
const VARIANCES: usize = memory.data(72, 16);
const WINDOW_WEIGHTS: usize = memory.data(72, 16);
const WINDOWS: usize = 3;

/** The measure's constant for contrast, (0.03 × 255)². */
const CONTRAST: f64 = 58.5;
/**
 * What quantisation takes away anyway, relative to the square of luma's AC factor: below such a variance,
 * areas weigh alike, because their texture is lost and does not count.
 */
const LOST: f64 = 0.2;
/** The power of the inverse variance that is the weight: more gains no similarity, and loses PSNR. */
const POWER: f64 = 0.48;
const MOST: f64 = 4;
/** Windows count for the mean by what their levels take: roughly the logarithm of variance from here on. */
const LEAST_COUNTED: f64 = 4;

/** A float's bits are nearly the logarithm of its value: exact at powers of two, linear between them. */
const MANTISSA: f64 = 4503599627370496;
const EXPONENT_BIAS: f64 = 1023;

// @inline
function logarithm(value: f64): f64 {
  return <f64>reinterpret<i64>(value) / MANTISSA - EXPONENT_BIAS;
}

// @inline
function powerOfTwo(exponent: f64): f64 {
  return reinterpret<f64>(<i64>((exponent + EXPONENT_BIAS) * MANTISSA));
}

// @inline
function sumOf(four: v128): i32 {
  const halves = i32x4.add(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

// @inline
function sumOfFour(at: usize): i32 {
  return load<i32>(at) + load<i32>(at, 4) + load<i32>(at, 16) + load<i32>(at, 20);
}

/** Measures the windows of the macroblock in SOURCE. */
function measureVariances(): void {
  for (let i: usize = 0; i < 16; i++) {
    const samples = v128.load(SOURCE + (i << 4));
    const low = i16x8.extend_low_i8x16_u(samples);
    const high = i16x8.extend_high_i8x16_u(samples);
    const squares = i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high));
    store<i32>(SQUARES + (i << 2), sumOf(squares));
    store<i32>(SUMS + (i << 2), sumOf(i32x4.extadd_pairwise_i16x8_u(i16x8.add(low, high))));
  }
  for (let y: usize = 0; y < WINDOWS; y++) {
    for (let x: usize = 0; x < WINDOWS; x++) {
      const at = ((y << 2) + x) << 2;
      const sum = <f64>sumOfFour(SUMS + at);
      const variance = (<f64>sumOfFour(SQUARES + at) - (sum * sum) / 64) / 64;
      store<f64>(VARIANCES + ((y * WINDOWS + x) << 3), variance);
    }
  }
}

/** The variance that the measure divides by, on a logarithmic scale. @param window its offset */
// @inline
function maskingOf(encoder: Encoder, window: usize): f64 {
  return logarithm(2 * load<f64>(VARIANCES + window) + encoder.leastMasking);
}

/** Call before sampling. @param ac luma's AC factor of a plain picture at this quality */
export function startWeights(encoder: Encoder, ac: i32): void {
  encoder.leastMasking = CONTRAST + LOST * <f64>(ac * ac);
}

/** Counts the macroblock in SOURCE for the mean. */
export function sampleMasking(encoder: Encoder): void {
  measureVariances();
  for (let window: usize = 0; window < 72; window += 8) {
    const counted = logarithm(1 + load<f64>(VARIANCES + window) / LEAST_COUNTED);
    encoder.maskingSum += counted * maskingOf(encoder, window);
    encoder.maskingCount += counted;
  }
}

/** After each sampled row: sets what weighs 1 from all sampled so far. */
export function settleMasking(encoder: Encoder): void {
  if (encoder.maskingCount > 0) encoder.meanMasking = encoder.maskingSum / encoder.maskingCount;
}

/** Weighs the blocks of the macroblock in SOURCE: each as the macroblock's windows that it is part of. */
export function weighBlocks(encoder: Encoder): void {
  measureVariances();
  for (let window: usize = 0; window < 72; window += 8) {
    const weight = powerOfTwo(POWER * (encoder.meanMasking - maskingOf(encoder, window)));
    store<f64>(WINDOW_WEIGHTS + window, min(max(weight, 1 / MOST), MOST));
  }
  let total: f64 = 0;
  for (let y: usize = 0; y < 4; y++) {
    for (let x: usize = 0; x < 4; x++) {
      const weight = blockWeight(x, y);
      const block = ((y << 2) + x) << 3;
      store<f64>(WEIGHTS + block, weight);
      store<f64>(INVERSE_WEIGHTS + block, 1 / weight);
      total += weight;
    }
  }
  inverseMeanWeight = 16 / total;
}

/** The mean of one, two or four windows. */
// @inline
function blockWeight(x: usize, y: usize): f64 {
  const left = x > 0 ? x - 1 : 0;
  const right = x < WINDOWS ? x : WINDOWS - 1;
  const above = WINDOW_WEIGHTS + (y > 0 ? y - 1 : 0) * WINDOWS * 8;
  const below = WINDOW_WEIGHTS + (y < WINDOWS ? y : WINDOWS - 1) * WINDOWS * 8;
  return (
    (load<f64>(above + (left << 3)) +
      load<f64>(above + (right << 3)) +
      load<f64>(below + (left << 3)) +
      load<f64>(below + (right << 3))) /
    4
  );
}
