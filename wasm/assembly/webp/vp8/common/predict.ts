/**
 * Predicts a whole macroblock: 16 × 16 luma (RFC 6386 section 12.3), or 8 × 8 of both chroma components at
 * once (12.2). Left of the picture all samples are 129, above it 127; but the Dc average only uses samples
 * inside it.
 */
import { Mode } from './macroblock';

const LUMA_ROWS: usize = 16;
const CHROMA_ROWS: usize = 8;

/** The average where there are no samples to average. */
const MIDDLE: i32 = 128;

// @inline
function fill(to: usize, stride: usize, rows: usize, samples: v128): void {
  for (let y: usize = 0; y < rows; y++) v128.store(to + y * stride, samples);
}

/** The sum of each half of 16 bytes, as two i64. */
// @inline
function halfSums(bytes: v128): v128 {
  const quarters = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
  return i32x4.add(quarters, v128.shuffle<i32>(quarters, quarters, 1, 0, 3, 2));
}

/**
 * Predicts 16 × 16 luma samples.
 * @param above the samples above `to`
 * @param hasAbove, hasLeft whether the samples above and to the left are inside the picture
 */
export function predictLuma(
  mode: i32,
  to: usize,
  stride: usize,
  above: usize,
  hasAbove: bool,
  hasLeft: bool,
): void {
  const upper = v128.load(above);
  if (mode === Mode.Vertical) {
    fill(to, stride, LUMA_ROWS, upper);
  } else if (mode === Mode.Horizontal) {
    for (let y: usize = 0; y < LUMA_ROWS; y++, to += stride) v128.store(to, i8x16.splat(load<i8>(to - 1)));
  } else if (mode === Mode.TrueMotion) {
    const corner = i16x8.splat(<i16>load<u8>(above - 1));
    const low = i16x8.sub(i16x8.extend_low_i8x16_u(upper), corner);
    const high = i16x8.sub(i16x8.extend_high_i8x16_u(upper), corner);
    for (let y: usize = 0; y < LUMA_ROWS; y++, to += stride) {
      const left = i16x8.splat(<i16>load<u8>(to - 1));
      v128.store(to, i8x16.narrow_i16x8_u(i16x8.add(low, left), i16x8.add(high, left)));
    }
  } else {
    let sum: i32 = 0;
    if (hasAbove) {
      const halves = halfSums(upper);
      sum += i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 2);
    }
    if (hasLeft) for (let y: usize = 0; y < LUMA_ROWS; y++) sum += load<u8>(to + y * stride - 1);
    const shift: i32 = hasAbove && hasLeft ? 5 : 4;
    const mean = hasAbove || hasLeft ? (sum + (1 << (shift - 1))) >> shift : MIDDLE;
    fill(to, stride, LUMA_ROWS, i8x16.splat(<i8>mean));
  }
}

/** A vector of 8 times `u`, then 8 times `v`. */
// @inline
function eightEach(u: i32, v: i32): v128 {
  return i64x2.replace_lane(i64x2.splat(<u64>u * 0x0101010101010101), 1, <u64>v * 0x0101010101010101);
}

/** Like predictLuma, for rows with 8 samples of one component and 8 of the other. */
export function predictChroma(
  mode: i32,
  to: usize,
  stride: usize,
  above: usize,
  hasAbove: bool,
  hasLeft: bool,
): void {
  const upper = v128.load(above);
  if (mode === Mode.Vertical) {
    fill(to, stride, CHROMA_ROWS, upper);
  } else if (mode === Mode.Horizontal) {
    for (let y: usize = 0; y < CHROMA_ROWS; y++, to += stride) {
      v128.store(to, eightEach(load<u8>(to - 9), load<u8>(to - 1)));
    }
  } else if (mode === Mode.TrueMotion) {
    const u = i16x8.sub(i16x8.extend_low_i8x16_u(upper), i16x8.splat(<i16>load<u8>(above - 9)));
    const v = i16x8.sub(i16x8.extend_high_i8x16_u(upper), i16x8.splat(<i16>load<u8>(above - 1)));
    for (let y: usize = 0; y < CHROMA_ROWS; y++, to += stride) {
      const allU = i16x8.add(u, i16x8.splat(<i16>load<u8>(to - 9)));
      const allV = i16x8.add(v, i16x8.splat(<i16>load<u8>(to - 1)));
      v128.store(to, i8x16.narrow_i16x8_u(allU, allV));
    }
  } else {
    let u: i32 = 0;
    let v: i32 = 0;
    if (hasAbove) {
      const halves = halfSums(upper);
      u += i32x4.extract_lane(halves, 0);
      v += i32x4.extract_lane(halves, 2);
    }
    if (hasLeft) {
      for (let y: usize = 0; y < CHROMA_ROWS; y++) {
        u += load<u8>(to + y * stride - 9);
        v += load<u8>(to + y * stride - 1);
      }
    }
    const shift: i32 = hasAbove && hasLeft ? 4 : 3;
    const half: i32 = 1 << (shift - 1);
    const known = hasAbove || hasLeft;
    u = known ? (u + half) >> shift : MIDDLE;
    v = known ? (v + half) >> shift : MIDDLE;
    fill(to, stride, CHROMA_ROWS, eightEach(u, v));
  }
}
