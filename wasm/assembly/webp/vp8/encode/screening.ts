/** Decides which of a whole macroblock's four modes are worth trying: those with the nearest predictions. */
import { ERROR_OF_BIT } from './segments';

const MODE_COUNT: usize = 4;
const ERRORS: usize = memory.data(16, 16);

/** The squared error of rows of 16 samples. */
// @inline
export function errorOfRows(a: usize, aStride: usize, b: usize, bStride: usize, rows: usize): i32 {
  let sums = i64x2.splat(0);
  for (let y: usize = 0; y < rows; y++, a += aStride, b += bStride) {
    const u = v128.load(a);
    const v = v128.load(b);
    const low = i16x8.sub(i16x8.extend_low_i8x16_u(u), i16x8.extend_low_i8x16_u(v));
    const high = i16x8.sub(i16x8.extend_high_i8x16_u(u), i16x8.extend_high_i8x16_u(v));
    sums = i32x4.add(sums, i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high)));
  }
  const halves = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

export function noteError(mode: i32, error: i32): void {
  store<i32>(ERRORS + ((<usize>mode) << 2), error);
}

/**
 * A macroblock is plain if its squared error over 256 samples is below this, times the square of luma's AC
 * factor.
 */
const PLAIN: f64 = 0.15 * 256;

/** Whether the least error is so small that only bits distinguish the modes. @param lambda the segment's */
export function isPlain(lambda: f64): bool {
  let least = i32.MAX_VALUE;
  for (let i: usize = 0; i < MODE_COUNT; i++) least = min(least, load<i32>(ERRORS + (i << 2)));
  return <f64>least * (ERROR_OF_BIT / 256) < PLAIN * lambda;
}

/** Takes the mode with the least error, so that the next call finds the next one. */
export function takeNearest(): i32 {
  let mode: usize = 0;
  for (let i: usize = 1; i < MODE_COUNT; i++) {
    if (load<i32>(ERRORS + (i << 2)) < load<i32>(ERRORS + (mode << 2))) mode = i;
  }
  store<i32>(ERRORS + (mode << 2), i32.MAX_VALUE);
  return <i32>mode;
}
