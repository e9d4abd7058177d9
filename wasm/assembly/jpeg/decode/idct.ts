/**
 * The inverse DCT of 8 × 8 blocks (T.81 A.3.3): a pass over columns, a transposition, a pass over the former
 * rows, and a transposition while storing the samples.
 */
import { COLUMNS, high, low, narrowPass, pass, ROWS, WORK, widePass } from './idct_passes';

const LEVEL: usize = memory.data<u8>(
  [128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128],
  16,
);

/**
 * Stores WORK's columns, transposed, saturated to bytes and level-shifted (T.81 A.3.1).
 * @param count number of rows, 8 or 6
 */
// @inline
export function storeRows(to: usize, stride: usize, count: i32): void {
  const level = v128.load(LEVEL);
  const a = i8x16.narrow_i16x8_s(v128.load(WORK), v128.load(WORK + 64));
  const b = i8x16.narrow_i16x8_s(v128.load(WORK + 16), v128.load(WORK + 80));
  const c = i8x16.narrow_i16x8_s(v128.load(WORK + 32), v128.load(WORK + 96));
  const d = i8x16.narrow_i16x8_s(v128.load(WORK + 48), v128.load(WORK + 112));
  const ab0 = v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ab4 = v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const cd2 = v128.shuffle<u8>(c, d, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const cd6 = v128.shuffle<u8>(c, d, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const left0 = low(ab0, cd2);
  const left4 = high(ab0, cd2);
  const right0 = low(ab4, cd6);
  const right4 = high(ab4, cd6);
  const rows01 = i8x16.add(v128.shuffle<i32>(left0, right0, 0, 4, 1, 5), level);
  const rows23 = i8x16.add(v128.shuffle<i32>(left0, right0, 2, 6, 3, 7), level);
  const rows45 = i8x16.add(v128.shuffle<i32>(left4, right4, 0, 4, 1, 5), level);
  const rows67 = i8x16.add(v128.shuffle<i32>(left4, right4, 2, 6, 3, 7), level);
  v128.store64_lane(to, rows01, 0);
  to += stride;
  v128.store64_lane(to, rows01, 1);
  to += stride;
  v128.store64_lane(to, rows23, 0);
  to += stride;
  v128.store64_lane(to, rows23, 1);
  to += stride;
  v128.store64_lane(to, rows45, 0);
  to += stride;
  v128.store64_lane(to, rows45, 1);
  if (count === 6) return;
  to += stride;
  v128.store64_lane(to, rows67, 0);
  to += stride;
  v128.store64_lane(to, rows67, 1);
}

/**
 * Transforms all 64 coefficients.
 * @param block i16 in natural order
 * @param quant u16 in natural order
 */
export function idct8(block: usize, quant: usize, to: usize, stride: usize): void {
  pass(
    i16x8.mul(v128.load(block), v128.load(quant)),
    i16x8.mul(v128.load(block, 16), v128.load(quant, 16)),
    i16x8.mul(v128.load(block, 32), v128.load(quant, 32)),
    i16x8.mul(v128.load(block, 48), v128.load(quant, 48)),
    i16x8.mul(v128.load(block, 64), v128.load(quant, 64)),
    i16x8.mul(v128.load(block, 80), v128.load(quant, 80)),
    i16x8.mul(v128.load(block, 96), v128.load(quant, 96)),
    i16x8.mul(v128.load(block, 112), v128.load(quant, 112)),
    COLUMNS,
  );
  // Transposition of 8 × 8 i16.
  const a0 = v128.load(WORK);
  const a1 = v128.load(WORK, 16);
  const a2 = v128.load(WORK, 32);
  const a3 = v128.load(WORK, 48);
  const a4 = v128.load(WORK, 64);
  const a5 = v128.load(WORK, 80);
  const a6 = v128.load(WORK, 96);
  const a7 = v128.load(WORK, 112);
  const b0 = low(a0, a4);
  const b1 = high(a0, a4);
  const b2 = low(a1, a5);
  const b3 = high(a1, a5);
  const b4 = low(a2, a6);
  const b5 = high(a2, a6);
  const b6 = low(a3, a7);
  const b7 = high(a3, a7);
  const c0 = low(b0, b4);
  const c1 = high(b0, b4);
  const c2 = low(b1, b5);
  const c3 = high(b1, b5);
  const c4 = low(b2, b6);
  const c5 = high(b2, b6);
  const c6 = low(b3, b7);
  const c7 = high(b3, b7);
  pass(
    low(c0, c4),
    high(c0, c4),
    low(c1, c5),
    high(c1, c5),
    low(c2, c6),
    high(c2, c6),
    low(c3, c7),
    high(c3, c7),
    ROWS,
  );
  storeRows(to, stride, 8);
}

/**
 * Only for blocks where just the first ten coefficients in zigzag order may be non-zero: rows and columns 0
 * to 3.
 */
export function idct8Sparse(block: usize, quant: usize, to: usize, stride: usize): void {
  narrowPass(
    i16x8.mul(v128.load(block), v128.load(quant)),
    i16x8.mul(v128.load(block, 16), v128.load(quant, 16)),
    i16x8.mul(v128.load(block, 32), v128.load(quant, 32)),
    i16x8.mul(v128.load(block, 48), v128.load(quant, 48)),
  );
  // Transposition of 8 rows of 4 to 4 rows of 8.
  const b0 = low(v128.load(WORK), v128.load(WORK, 64));
  const b1 = low(v128.load(WORK, 16), v128.load(WORK, 80));
  const b2 = low(v128.load(WORK, 32), v128.load(WORK, 96));
  const b3 = low(v128.load(WORK, 48), v128.load(WORK, 112));
  const c0 = low(b0, b2);
  const c1 = high(b0, b2);
  const c2 = low(b1, b3);
  const c3 = high(b1, b3);
  widePass(low(c0, c2), high(c0, c2), low(c1, c3), high(c1, c3));
  storeRows(to, stride, 8);
}

/** Only for blocks with nothing but DC: all samples have one value. */
export function idct8Flat(coefficient: i32, quant: usize, to: usize, stride: usize): void {
  const value = flatSample(coefficient, quant);
  const eight = <u64>value * 0x0101010101010101;
  for (let row = 0; row < 8; row++) {
    store<u64>(to, eight);
    to += stride;
  }
}

/**
 * The value of all samples of a block with nothing but DC, at any scale (jidctint.c and jidctred.c agree).
 */
// @inline
export function flatSample(coefficient: i32, quant: usize): i32 {
  const value = ((<i32>(<i16>(coefficient * <i32>load<u16>(quant))) + 4) >> 3) + 128;
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
