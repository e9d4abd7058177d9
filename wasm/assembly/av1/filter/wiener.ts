/** The Wiener filter of loop restoration (AV1 specification, sections 7.17.4 and 7.17.5). */

import { PART_COLUMNS, PART_STRIDE, part, REACH } from './restore_copy';

/** Rows after the horizontal filter, REACH of them above the first. */
const ROW_BYTES: usize = PART_COLUMNS << 1;
const filtered: usize = memory.data(8960, 16);

/** Four products of i16 pairs: of lanes 0 to 3 and 4 to 7 of two vectors. */
// @inline
function lowProducts(a: v128, b: v128, weights: v128): v128 {
  return i32x4.dot_i16x8_s(v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11), weights);
}

// @inline
function highProducts(a: v128, b: v128, weights: v128): v128 {
  return i32x4.dot_i16x8_s(v128.shuffle<u16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15), weights);
}

/** Two weights, by turns. */
// @inline
function weightPair(first: i32, second: i32): v128 {
  return i32x4.splat((first & 0xffff) | (second << 16));
}

/**
 * Restores a part.
 * @param to, stride where the samples go, `columns` to the next multiple of 8
 * @param taps six i8: of the vertical filter, then of the horizontal one
 */
export function wienerFilter(
  to: usize,
  stride: usize,
  columns: i32,
  rows: i32,
  taps: usize,
  bitDepth: i32,
): void {
  filterAcross(columns, rows, taps + 3, bitDepth);
  filterDown(to, stride, columns, rows, taps, bitDepth);
}

/** Weight of the middle sample: all seven add up to 128. */
// @inline
function middleTap(taps: usize): i32 {
  return 128 - 2 * (<i32>load<i8>(taps) + <i32>load<i8>(taps + 1) + <i32>load<i8>(taps + 2));
}

function filterAcross(columns: i32, rows: i32, taps: usize, bitDepth: i32): void {
  const outer = weightPair(load<i8>(taps), load<i8>(taps + 1));
  const inner = weightPair(load<i8>(taps + 2), middleTap(taps));
  // InterRound0 of section 7.11.3.2.
  const shift = bitDepth === 12 ? 5 : 3;
  const one: i32 = 1;
  const offset = one << (bitDepth + 6 - shift);
  const limit = (one << (bitDepth + 8 - shift)) - 1;
  const least = i16x8.splat(<i16>-offset);
  const most = i16x8.splat(<i16>(limit - offset));
  const half = i32x4.splat((one << shift) >> 1);
  let from = part - <usize>REACH * PART_STRIDE;
  let to = filtered;
  const bytes = (<usize>columns) << 1;
  for (let row = -REACH; row < rows + REACH; row++) {
    for (let x: usize = 0; x < bytes; x += 16) {
      const at = from + x;
      const a = i16x8.add(v128.load(at - 6), v128.load(at + 6));
      const b = i16x8.add(v128.load(at - 4), v128.load(at + 4));
      const c = i16x8.add(v128.load(at - 2), v128.load(at + 2));
      const d = v128.load(at);
      const low = i32x4.add(i32x4.add(lowProducts(a, b, outer), lowProducts(c, d, inner)), half);
      const high = i32x4.add(i32x4.add(highProducts(a, b, outer), highProducts(c, d, inner)), half);
      const value = i16x8.narrow_i32x4_s(i32x4.shr_s(low, shift), i32x4.shr_s(high, shift));
      v128.store(to + x, i16x8.max_s(i16x8.min_s(value, most), least));
    }
    from += PART_STRIDE;
    to += ROW_BYTES;
  }
}

function filterDown(to: usize, stride: usize, columns: i32, rows: i32, taps: usize, bitDepth: i32): void {
  const outer = weightPair(load<i8>(taps), load<i8>(taps));
  const second = weightPair(load<i8>(taps + 1), load<i8>(taps + 1));
  const third = weightPair(load<i8>(taps + 2), load<i8>(taps + 2));
  // InterRound1 is for the sum. The eighth weight, which has no sample, adds the half for rounding.
  const shift = bitDepth === 12 ? 9 : 11;
  const one: i32 = 1;
  const middle = weightPair(middleTap(taps), one << (shift - 1));
  const ones = i16x8.splat(1);
  const largest = i16x8.splat(<i16>((one << bitDepth) - 1));
  const bytes = (<usize>columns) << 1;
  for (let x: usize = 0; x < bytes; x += 16) {
    let at = filtered + x;
    let out = to + x;
    let r0 = v128.load(at);
    let r1 = v128.load(at + ROW_BYTES);
    let r2 = v128.load(at + 2 * ROW_BYTES);
    let r3 = v128.load(at + 3 * ROW_BYTES);
    let r4 = v128.load(at + 4 * ROW_BYTES);
    let r5 = v128.load(at + 5 * ROW_BYTES);
    at += 6 * ROW_BYTES;
    for (let row = 0; row < rows; row++) {
      const r6 = v128.load(at);
      let low = i32x4.add(lowProducts(r0, r6, outer), lowProducts(r1, r5, second));
      low = i32x4.add(low, i32x4.add(lowProducts(r2, r4, third), lowProducts(r3, ones, middle)));
      let high = i32x4.add(highProducts(r0, r6, outer), highProducts(r1, r5, second));
      high = i32x4.add(high, i32x4.add(highProducts(r2, r4, third), highProducts(r3, ones, middle)));
      const value = i16x8.narrow_i32x4_s(i32x4.shr_s(low, shift), i32x4.shr_s(high, shift));
      v128.store(out, i16x8.max_s(i16x8.min_s(value, largest), i16x8.splat(0)));
      r0 = r1;
      r1 = r2;
      r2 = r3;
      r3 = r4;
      r4 = r5;
      r5 = r6;
      at += ROW_BYTES;
      out += stride;
    }
  }
}
