/**
 * The inverse transforms (RFC 6386 section 14), four values at a time in 32 bits. Values that do not fit into
 * 16 bits, which only crafted files have, are cut as libwebp does with SSE2, so that such files look the
 * same.
 */
import { BLOCK_BYTES } from './macroblock';

/** √2 cos(π / 8) − 1 in 16.16, and √2 sin(π / 8) in 15.15 (section 14.4, which has 16 bits there: halved). */
const COSINE: i32 = 20091;
const SINE: i32 = 17734;
const COSINES: usize = memory.data<i32>([20091, 20091, 20091, 20091], 16);
const SINES: usize = memory.data<i32>([17734, 17734, 17734, 17734], 16);

/** x + x × COSINE / 2^16, rounded down, for four i32 with 16-bit values. */
// @inline
function timesCosine(x: v128): v128 {
  return i32x4.add(i32x4.shr_s(i32x4.dot_i16x8_s(x, v128.load(COSINES)), 16), x);
}

// @inline
function timesSine(x: v128): v128 {
  return i32x4.shr_s(i32x4.dot_i16x8_s(x, v128.load(SINES)), 15);
}

// @inline
function pairsLow(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5);
}

// @inline
function pairsHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7);
}

// @inline
function joinLow(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2);
}

// @inline
function joinHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3);
}

/** Adds two rows of 16-bit differences in each vector to 16 samples. */
// @inline
function added(samples: v128, upper: v128, lower: v128): v128 {
  return i8x16.narrow_i16x8_u(
    i16x8.add_sat_s(i16x8.extend_low_i8x16_u(samples), upper),
    i16x8.add_sat_s(i16x8.extend_high_i8x16_u(samples), lower),
  );
}

/** Adds to a 4 × 4 block of samples what its DC alone gives. */
// @inline
export function addDc(samples: v128, block: usize): v128 {
  const difference = i16x8.splat(<i16>((<i32>load<i16>(block) + 4) >> 3));
  return added(samples, difference, difference);
}

/** Like addDc, for the first three coefficients: Extent.Three. */
// @inline
export function addThree(samples: v128, block: usize): v128 {
  const across = <i32>load<i16>(block, 2);
  const down = <i32>load<i16>(block, 8);
  const outer = ((across * COSINE) >> 16) + across;
  const inner = (across * SINE) >> 15;
  const columns = i32x4.replace_lane(
    i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(outer), 1, inner), 2, -inner),
    3,
    -outer,
  );
  const downOuter = i32x4.splat(((down * COSINE) >> 16) + down);
  const downInner = i32x4.splat((down * SINE) >> 15);
  const centre = i32x4.add(columns, i32x4.splat(<i32>load<i16>(block) + 4));
  return added(
    samples,
    i16x8.narrow_i32x4_s(
      i32x4.shr_s(i32x4.add(centre, downOuter), 3),
      i32x4.shr_s(i32x4.add(centre, downInner), 3),
    ),
    i16x8.narrow_i32x4_s(
      i32x4.shr_s(i32x4.sub(centre, downInner), 3),
      i32x4.shr_s(i32x4.sub(centre, downOuter), 3),
    ),
  );
}

/** Like addDc, for all 16 coefficients. */
export function addAll(samples: v128, block: usize): v128 {
  const row0 = v128.load16x4_s(block);
  const row1 = v128.load16x4_s(block, 8);
  const row2 = v128.load16x4_s(block, 16);
  const row3 = v128.load16x4_s(block, 24);
  // Down.
  let even = i32x4.add(row0, row2);
  let odd = i32x4.sub(row0, row2);
  let inner = i32x4.sub(timesSine(row1), timesCosine(row3));
  let outer = i32x4.add(timesCosine(row1), timesSine(row3));
  const down0 = i32x4.add(even, outer);
  const down1 = i32x4.add(odd, inner);
  const down2 = i32x4.sub(odd, inner);
  const down3 = i32x4.sub(even, outer);
  // Across.
  const low01 = pairsLow(down0, down1);
  const low23 = pairsLow(down2, down3);
  const high01 = pairsHigh(down0, down1);
  const high23 = pairsHigh(down2, down3);
  const column0 = i32x4.add(joinLow(low01, low23), i32x4.splat(4));
  const column1 = joinHigh(low01, low23);
  const column2 = joinLow(high01, high23);
  const column3 = joinHigh(high01, high23);
  even = i32x4.add(column0, column2);
  odd = i32x4.sub(column0, column2);
  inner = i32x4.sub(timesSine(column1), timesCosine(column3));
  outer = i32x4.add(timesCosine(column1), timesSine(column3));
  const out01 = i16x8.narrow_i32x4_s(cut(i32x4.add(even, outer)), cut(i32x4.add(odd, inner)));
  const out23 = i16x8.narrow_i32x4_s(cut(i32x4.sub(odd, inner)), cut(i32x4.sub(even, outer)));
  return added(
    samples,
    v128.shuffle<i16>(out01, out23, 0, 4, 8, 12, 1, 5, 9, 13),
    v128.shuffle<i16>(out01, out23, 2, 6, 10, 14, 3, 7, 11, 15),
  );
}

/** The lowest 16 bits, sign-extended, divided by 8. */
// @inline
function cut(x: v128): v128 {
  return i32x4.shr_s(i32x4.shl(x, 16), 19);
}

/** Y2 with nothing but DC (section 14.3): all luma blocks get the same DC. @param blocks 16 luma blocks */
export function spreadDc(dc: i32, blocks: usize): void {
  const value = (dc + 3) >> 3;
  for (let i: usize = 0; i < 16; i++) store<i16>(blocks + i * BLOCK_BYTES, value);
}

/** Transforms Y2 into the DCs of 16 luma blocks (section 14.3). */
export function inverseWalsh(y2: usize, blocks: usize): void {
  const row0 = v128.load16x4_s(y2);
  const row1 = v128.load16x4_s(y2, 8);
  const row2 = v128.load16x4_s(y2, 16);
  const row3 = v128.load16x4_s(y2, 24);
  let a = i32x4.add(row0, row3);
  let b = i32x4.add(row1, row2);
  let c = i32x4.sub(row1, row2);
  let d = i32x4.sub(row0, row3);
  const down0 = i32x4.add(a, b);
  const down1 = i32x4.add(d, c);
  const down2 = i32x4.sub(a, b);
  const down3 = i32x4.sub(d, c);
  const low01 = pairsLow(down0, down1);
  const low23 = pairsLow(down2, down3);
  const high01 = pairsHigh(down0, down1);
  const high23 = pairsHigh(down2, down3);
  const column0 = i32x4.add(joinLow(low01, low23), i32x4.splat(3));
  const column1 = joinHigh(low01, low23);
  const column2 = joinLow(high01, high23);
  const column3 = joinHigh(high01, high23);
  a = i32x4.add(column0, column3);
  b = i32x4.add(column1, column2);
  c = i32x4.sub(column1, column2);
  d = i32x4.sub(column0, column3);
  storeColumn(blocks, i32x4.shr_s(i32x4.add(a, b), 3));
  storeColumn(blocks + BLOCK_BYTES, i32x4.shr_s(i32x4.add(d, c), 3));
  storeColumn(blocks + 2 * BLOCK_BYTES, i32x4.shr_s(i32x4.sub(a, b), 3));
  storeColumn(blocks + 3 * BLOCK_BYTES, i32x4.shr_s(i32x4.sub(d, c), 3));
}

/** Stores the DCs of four blocks in one column. */
// @inline
function storeColumn(block: usize, values: v128): void {
  v128.store16_lane(block, values, 0);
  v128.store16_lane(block, values, 2, 4 * BLOCK_BYTES);
  v128.store16_lane(block, values, 4, 8 * BLOCK_BYTES);
  v128.store16_lane(block, values, 6, 12 * BLOCK_BYTES);
}
