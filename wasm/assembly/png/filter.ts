/**
 * PNG filtering (ISO/IEC 15948 section 9), 16 bytes at a time: unlike its reverse, no byte waits for another.
 * Rows have ROW_LEAD zero bytes before them, which stand for the pixel left of the first.
 */

import { FILTER_BEST } from './constants';

const lowBits = memory.data<u8>([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 16);

/**
 * Residuals as signed bytes: the sum of magnitudes is the usual measure of how well a filter fits (section
 * 12.8).
 */
// @inline
function magnitudes(sum: v128, residual: v128): v128 {
  return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.abs(residual))));
}

// @inline
function average(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), v128.load(lowBits)));
}

/** |a - b| of unsigned bytes. */
// @inline
function apart(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

/**
 * The Paeth predictor in bytes: |p - a| = |b - c|, |p - b| = |a - c|, and |p - c| = |(a - c) + (b - c)|,
 * which is their sum where both differences have one sign and their difference where not; saturating at 255
 * keeps the order, for a sum of one sign is never the least.
 */
// @inline
function paeth(a: v128, b: v128, c: v128): v128 {
  const pa = apart(b, c);
  const pb = apart(a, c);
  const sameSign = i8x16.eq(i8x16.ge_u(a, c), i8x16.ge_u(b, c));
  const pc = v128.bitselect(i8x16.add_sat_u(pa, pb), apart(pa, pb), sameSign);
  const takeA = v128.and(i8x16.le_u(pa, pb), i8x16.le_u(pa, pc));
  return v128.bitselect(a, v128.bitselect(b, c, i8x16.le_u(pb, pc)), takeA);
}

function total(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

/**
 * The filter type with the least sum of magnitudes; ties go to the lower type. Up to 15 zero bytes beyond are
 * counted too.
 */
function bestFilter(row: usize, above: usize, bytes: usize, bpp: usize): u32 {
  let none: v128 = i32x4.splat(0);
  let sub: v128 = i32x4.splat(0);
  let up: v128 = i32x4.splat(0);
  let mean: v128 = i32x4.splat(0);
  let pae: v128 = i32x4.splat(0);
  for (let i: usize = 0; i < bytes; i += 16) {
    const x = v128.load(row + i);
    const a = v128.load(row + i - bpp);
    const b = v128.load(above + i);
    const c = v128.load(above + i - bpp);
    none = magnitudes(none, x);
    sub = magnitudes(sub, i8x16.sub(x, a));
    up = magnitudes(up, i8x16.sub(x, b));
    mean = magnitudes(mean, i8x16.sub(x, average(a, b)));
    pae = magnitudes(pae, i8x16.sub(x, paeth(a, b, c)));
  }
  let best: u32 = 0;
  let least = total(none);
  let sum = total(sub);
  if (sum < least) {
    least = sum;
    best = 1;
  }
  sum = total(up);
  if (sum < least) {
    least = sum;
    best = 2;
  }
  sum = total(mean);
  if (sum < least) {
    least = sum;
    best = 3;
  }
  return total(pae) < least ? 4 : best;
}

/**
 * Writes one filtered row to `out`: its type, then `bytes` bytes. Reads up to 15 bytes and writes up to 15
 * bytes beyond the rows.
 * @param filter a type, or FILTER_BEST
 */
export function pngFilter(row: usize, above: usize, out: usize, bytes: usize, bpp: usize, filter: u32): void {
  const type = filter === FILTER_BEST ? bestFilter(row, above, bytes, bpp) : filter;
  store<u8>(out++, <u8>type);
  if (type === 0) {
    memory.copy(out, row, bytes);
    return;
  }
  for (let i: usize = 0; i < bytes; i += 16) {
    const x = v128.load(row + i);
    const a = v128.load(row + i - bpp);
    const b = v128.load(above + i);
    let predicted = a;
    if (type === 2) predicted = b;
    else if (type === 3) predicted = average(a, b);
    else if (type === 4) predicted = paeth(a, b, v128.load(above + i - bpp));
    v128.store(out + i, i8x16.sub(x, predicted));
  }
}
