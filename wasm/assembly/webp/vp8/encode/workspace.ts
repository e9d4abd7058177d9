/** The current macroblock: the picture's samples, what the decoder will make of them, and attempts. */
/** Luma with a column of 16 to its left and a row above, which extends four samples past its right end. */
export const LUMA_STRIDE: usize = 48;
const LUMA_ROOM: usize = memory.data(17 * 48 + 32, 16);
export const LUMA_ABOVE: usize = LUMA_ROOM + 16;
export const LUMA: usize = LUMA_ABOVE + LUMA_STRIDE;
/** Chroma as in the decoder: 8 samples of U and 8 of V in each row. */
export const CHROMA_STRIDE: usize = 32;
const CHROMA_ROOM: usize = memory.data(9 * 32 + 16, 16);
export const CHROMA_ABOVE: usize = CHROMA_ROOM + 16;
export const CHROMA: usize = CHROMA_ABOVE + CHROMA_STRIDE;

/** The picture's samples as 16 + 8 blocks of 16 bytes. */
export const SOURCE: usize = memory.data(24 * 16, 16);

/** Coefficients of one attempt; and levels, of the best attempt so far and of the current one. */
export const COEFFICIENTS: usize = memory.data(25 * 32, 16);
export const LEVELS: usize = memory.data(25 * 32, 16);
export const TRIAL_LEVELS: usize = memory.data(25 * 32, 16);
/** The place of each block's last non-zero level, −1 for none; i8. */
export const LASTS: usize = memory.data(32, 16);
export const TRIAL_LASTS: usize = memory.data(32, 16);
/** Coefficients of the best attempt so far. */
export const BEST_COEFFICIENTS: usize = memory.data(25 * 32, 16);
/** 16 modes of subblocks. */
export const SUBBLOCK_MODES: usize = memory.data(16, 16);
// @inline
export function loadBlock(from: usize, stride: usize): v128 {
  let samples = v128.load32_zero(from);
  samples = v128.load32_lane(from + stride, samples, 1);
  samples = v128.load32_lane(from + 2 * stride, samples, 2);
  return v128.load32_lane(from + 3 * stride, samples, 3);
}

// @inline
export function storeBlock(to: usize, stride: usize, samples: v128): void {
  v128.store32_lane(to, samples, 0);
  v128.store32_lane(to + stride, samples, 1);
  v128.store32_lane(to + 2 * stride, samples, 2);
  v128.store32_lane(to + 3 * stride, samples, 3);
}

/** The sum of the squared differences of 16 samples. */
// @inline
export function squaredError(a: v128, b: v128): i32 {
  const low = i16x8.sub(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b));
  const high = i16x8.sub(i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(b));
  const quarters = i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high));
  const halves = i32x4.add(quarters, v128.shuffle<i32>(quarters, quarters, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

/** Offset of a luma block among the samples. */
// @inline
export function lumaPlace(block: usize): usize {
  return (block >> 2) * 4 * LUMA_STRIDE + ((block & 3) << 2);
}

/** Blocks 0 to 3 are of U, 4 to 7 of V. */
// @inline
export function chromaPlace(block: usize): usize {
  return ((block >> 1) & 1) * 4 * CHROMA_STRIDE + ((block >> 2) << 3) + ((block & 1) << 2);
}
