/**
 * Computes rows of A and B of the self-guided filter (AV1 specification, section 7.17.3), from the mean and
 * variance of the box around each sample. At 12 bits per sample, all values fit into unsigned 32 bits.
 */

import { PART_COLUMNS, PART_STRIDE, part } from './restore_copy';

/** Columns of a row of sums. The first restored column is the ninth; in A and B it is the fifth. */
const SUM_COLUMNS = PART_COLUMNS + 16;
/** Sums of a column's samples and of their squares: i32 each. */
const sums: usize = memory.data(320, 16);
const squares: usize = memory.data(320, 16);
const SUMS_BEFORE: usize = 32;

/** A row: A of columns -4 to PART_COLUMNS + 3 as i32, then B. */
export const B_OFFSET: usize = (PART_COLUMNS + 16) << 2;
export const BOX_ROW_BYTES: usize = 2 * B_OFFSET;

/** SGRPROJ_MTABLE_BITS, SGRPROJ_SGR_BITS and SGRPROJ_RECIP_BITS. */
const MTABLE_BITS = 20;
const SGR_BITS = 8;
const RECIP_BITS = 12;

/**
 * Computes A and B for the boxes around a row's samples, from the one before the first to the one after the
 * last.
 * @param to where A of the first restored column goes; those of earlier columns lie before it
 * @param row of the part, −1 up to its number of rows
 * @param radius 1 or 2
 */
export function boxRow(to: usize, row: i32, columns: i32, radius: i32, eps: i32, bitDepth: i32): void {
  const from = part + <usize>(row - radius) * PART_STRIDE;
  if (radius === 1) addColumns(from, columns, 3);
  else addColumns(from, columns, 5);
  const n = radius === 1 ? 9 : 25;
  const n2e = n * n * eps;
  const one: i32 = 1;
  const scale = i32x4.splat(((one << MTABLE_BITS) + (n2e >> 1)) / n2e);
  const reciprocal = i32x4.splat(((one << RECIP_BITS) + (n >> 1)) / n);
  const count = i32x4.splat(n);
  const shift = bitDepth - 8;
  const half = i32x4.splat((one << shift) >> 1);
  const squareHalf = i32x4.splat((one << (2 * shift)) >> 1);
  const bytes = (<usize>(columns + 1)) << 2;
  for (let x: isize = -16; x < <isize>bytes; x += 16) {
    const sum = radius === 1 ? three(sums + SUMS_BEFORE + x) : five(sums + SUMS_BEFORE + x);
    let square = radius === 1 ? three(squares + SUMS_BEFORE + x) : five(squares + SUMS_BEFORE + x);
    square = i32x4.shr_u(i32x4.add(square, squareHalf), 2 * shift);
    const mean = i32x4.shr_u(i32x4.add(sum, half), shift);
    const p = i32x4.max_s(i32x4.sub(i32x4.mul(square, count), i32x4.dot_i16x8_s(mean, mean)), i32x4.splat(0));
    const scaled = i32x4.add(i32x4.mul(p, scale), i32x4.splat(1 << (MTABLE_BITS - 1)));
    const z = i32x4.min_u(i32x4.shr_u(scaled, MTABLE_BITS), i32x4.splat(255));
    const a = ratio(z);
    v128.store(to + x, a);
    const b = i32x4.mul(i32x4.mul(i32x4.sub(i32x4.splat(1 << SGR_BITS), a), sum), reciprocal);
    v128.store(to + x + B_OFFSET, i32x4.shr_u(i32x4.add(b, i32x4.splat(1 << (RECIP_BITS - 1))), RECIP_BITS));
  }
}

/**
 * ( (z << SGRPROJ_SGR_BITS) + (z / 2) ) / (z + 1), but 256 for z of 255, and 1 for 0. Half a step of the
 * divisor is added, so that no quotient is whole: single precision then gives the integer below, because the
 * added constant leaves no bits for a fraction.
 */
// @inline
function ratio(z: v128): v128 {
  const one = i32x4.splat(1);
  const above = f32x4.convert_i32x4_s(i32x4.add(i32x4.shl(z, SGR_BITS + 1), v128.or(z, one)));
  const below = f32x4.convert_i32x4_s(i32x4.shl(i32x4.add(z, one), 1));
  const rounded = f32x4.add(f32x4.div(above, below), f32x4.splat(8388607.5));
  const quotient = i32x4.max_s(v128.and(rounded, i32x4.splat(0xff)), one);
  return i32x4.sub(quotient, i32x4.eq(z, i32x4.splat(255)));
}

/** Adds the squares of two rows in each column. */
// @inline
function lowSquares(a: v128, b: v128): v128 {
  const both = v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  return i32x4.dot_i16x8_s(both, both);
}

// @inline
function highSquares(a: v128, b: v128): v128 {
  const both = v128.shuffle<u16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  return i32x4.dot_i16x8_s(both, both);
}

/** Sums each column, from eight before the first to eight after the last. @param rows 3 or 5 */
// @inline
function addColumns(from: usize, columns: i32, rows: i32): void {
  const end = (<usize>min(columns + 16, SUM_COLUMNS)) << 1;
  for (let x: usize = 0; x < end; x += 16) {
    const at = from + x - 16;
    const r0 = v128.load(at);
    const r1 = v128.load(at + PART_STRIDE);
    const r2 = v128.load(at + 2 * PART_STRIDE);
    let sum = i16x8.add(i16x8.add(r0, r1), r2);
    let low = lowSquares(r0, r1);
    let high = highSquares(r0, r1);
    if (rows === 3) {
      low = i32x4.add(low, lowSquares(r2, i16x8.splat(0)));
      high = i32x4.add(high, highSquares(r2, i16x8.splat(0)));
    } else {
      const r3 = v128.load(at + 3 * PART_STRIDE);
      const r4 = v128.load(at + 4 * PART_STRIDE);
      sum = i16x8.add(i16x8.add(sum, r3), r4);
      low = i32x4.add(i32x4.add(low, lowSquares(r2, r3)), lowSquares(r4, i16x8.splat(0)));
      high = i32x4.add(i32x4.add(high, highSquares(r2, r3)), highSquares(r4, i16x8.splat(0)));
    }
    const to = x << 1;
    v128.store(sums + to, i32x4.extend_low_i16x8_u(sum));
    v128.store(sums + to + 16, i32x4.extend_high_i16x8_u(sum));
    v128.store(squares + to, low);
    v128.store(squares + to + 16, high);
  }
}

// @inline
function three(at: usize): v128 {
  return i32x4.add(i32x4.add(v128.load(at - 4), v128.load(at + 4)), v128.load(at));
}

// @inline
function five(at: usize): v128 {
  return i32x4.add(three(at), i32x4.add(v128.load(at - 8), v128.load(at + 8)));
}
