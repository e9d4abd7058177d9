/**
 * The forward transforms, which RFC 6386 leaves to the encoder: the transposes of its inverse transforms
 * (section 14), with the scale that those undo. Coefficients are twice those of an orthonormal DCT.
 */
import { BLOCK_BYTES } from '../common/macroblock';

/**
 * √2 cos(π / 8) and √2 sin(π / 8), times 2^12, as pairs for sums of products; then what adds and subtracts.
 */
const COSINE_SINE: usize = memory.data<i16>([5352, 2217, 5352, 2217, 5352, 2217, 5352, 2217], 16);
const SINE_COSINE: usize = memory.data<i16>([2217, -5352, 2217, -5352, 2217, -5352, 2217, -5352], 16);
const EIGHTS: usize = memory.data<i16>([8, 8, 8, 8, 8, 8, 8, 8], 16);
const EIGHTS_APART: usize = memory.data<i16>([8, -8, 8, -8, 8, -8, 8, -8], 16);
const ONES: usize = memory.data<i16>([1, 1, 1, 1, 1, 1, 1, 1], 16);
const ONES_APART: usize = memory.data<i16>([1, -1, 1, -1, 1, -1, 1, -1], 16);

// @inline
function dot(pairs: v128, weights: usize): v128 {
  return i32x4.dot_i16x8_s(pairs, v128.load(weights));
}

// @inline
function rounded(sums: v128, bits: i32): v128 {
  return i32x4.shr_s(i32x4.add(sums, i32x4.splat(1 << (bits - 1))), bits);
}

/**
 * The DCT of the difference between two 4 × 4 blocks of samples, row after row.
 * @param to 16 i16, row after row
 */
// @inline
export function forwardDct(source: v128, prediction: v128, to: usize): void {
  const upper = i16x8.sub(i16x8.extend_low_i8x16_u(source), i16x8.extend_low_i8x16_u(prediction));
  const lower = i16x8.sub(i16x8.extend_high_i8x16_u(source), i16x8.extend_high_i8x16_u(prediction));
  // Down: rows 0 and 3, 1 and 2 are added and subtracted, then weighted in pairs.
  const turned = v128.shuffle<i64>(lower, lower, 1, 0);
  let sums = i16x8.add(upper, turned);
  let differences = i16x8.sub(upper, turned);
  sums = v128.shuffle<i16>(sums, sums, 0, 4, 1, 5, 2, 6, 3, 7);
  differences = v128.shuffle<i16>(differences, differences, 0, 4, 1, 5, 2, 6, 3, 7);
  const rows01 = i16x8.narrow_i32x4_s(dot(sums, EIGHTS), rounded(dot(differences, COSINE_SINE), 9));
  const rows23 = i16x8.narrow_i32x4_s(dot(sums, EIGHTS_APART), rounded(dot(differences, SINE_COSINE), 9));
  // Across.
  const turned01 = v128.shuffle<i16>(rows01, rows01, 3, 2, 1, 0, 7, 6, 5, 4);
  const turned23 = v128.shuffle<i16>(rows23, rows23, 3, 2, 1, 0, 7, 6, 5, 4);
  sums = v128.shuffle<i32>(i16x8.add(rows01, turned01), i16x8.add(rows23, turned23), 0, 2, 4, 6);
  differences = v128.shuffle<i32>(i16x8.sub(rows01, turned01), i16x8.sub(rows23, turned23), 0, 2, 4, 6);
  const columns01 = i16x8.narrow_i32x4_s(
    rounded(dot(sums, ONES), 4),
    rounded(dot(differences, COSINE_SINE), 16),
  );
  const columns23 = i16x8.narrow_i32x4_s(
    rounded(dot(sums, ONES_APART), 4),
    rounded(dot(differences, SINE_COSINE), 16),
  );
  v128.store(to, v128.shuffle<i16>(columns01, columns23, 0, 4, 8, 12, 1, 5, 9, 13));
  v128.store(to, v128.shuffle<i16>(columns01, columns23, 2, 6, 10, 14, 3, 7, 11, 15), 16);
}

/** Moves the DCs of 16 luma blocks to the block Y2, and sets them to 0. @param to 16 i16 */
export function forwardWalsh(blocks: usize, to: usize): void {
  for (let row: usize = 0; row < 4; row++) {
    const at = blocks + row * 4 * BLOCK_BYTES;
    const x0 = <i32>load<i16>(at);
    const x1 = <i32>load<i16>(at, BLOCK_BYTES);
    const x2 = <i32>load<i16>(at, 2 * BLOCK_BYTES);
    const x3 = <i32>load<i16>(at, 3 * BLOCK_BYTES);
    for (let i: usize = 0; i < 4; i++) store<i16>(at + i * BLOCK_BYTES, 0);
    const out = to + row * 8;
    store<i16>(out, x0 + x1 + x2 + x3);
    store<i16>(out, x0 + x1 - x2 - x3, 2);
    store<i16>(out, x0 - x1 - x2 + x3, 4);
    store<i16>(out, x0 - x1 + x2 - x3, 6);
  }
  for (let column: usize = 0; column < 4; column++) {
    const at = to + column * 2;
    const x0 = <i32>load<i16>(at);
    const x1 = <i32>load<i16>(at, 8);
    const x2 = <i32>load<i16>(at, 16);
    const x3 = <i32>load<i16>(at, 24);
    store<i16>(at, (x0 + x1 + x2 + x3) >> 1);
    store<i16>(at, (x0 + x1 - x2 - x3) >> 1, 8);
    store<i16>(at, (x0 - x1 - x2 + x3) >> 1, 16);
    store<i16>(at, (x0 - x1 + x2 - x3) >> 1, 24);
  }
}
