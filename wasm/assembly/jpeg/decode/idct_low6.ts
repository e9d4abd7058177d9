/**
 * Like idct_low.ts, for 6 × 6 samples: for chroma at half the sampling rate where luma has 3 × 3. A pass
 * works on columns and leaves its results in WORK.
 */
import { storeRows } from './idct';
import { COLUMNS, high, low, ROUND, ROWS, WORK } from './idct_passes';

/** √2 cos((2x + 1) u π / 12) × 8192 for pairs of u; 1 for u = 0. */
// biome-ignore format: a multiplier pair a line
const PAIRS: usize = memory.data<i16>(
  [
    8192, 10033, 8192, 10033, 8192, 10033, 8192, 10033,     // x 0: in0, in2
    5793, 0, 5793, 0, 5793, 0, 5793, 0,                     // in4
    11190, 8192, 11190, 8192, 11190, 8192, 11190, 8192,     // in1, in3
    2998, 0, 2998, 0, 2998, 0, 2998, 0,                     // in5
    8192, 0, 8192, 0, 8192, 0, 8192, 0,                     // x 1
    -11585, 0, -11585, 0, -11585, 0, -11585, 0,
    8192, -8192, 8192, -8192, 8192, -8192, 8192, -8192,
    -8192, 0, -8192, 0, -8192, 0, -8192, 0,
    8192, -10033, 8192, -10033, 8192, -10033, 8192, -10033, // x 2
    5793, 0, 5793, 0, 5793, 0, 5793, 0,
    2998, -8192, 2998, -8192, 2998, -8192, 2998, -8192,
    11190, 0, 11190, 0, 11190, 0, 11190, 0,
  ],
  16,
);

// @inline
function dot(values: v128, pair: usize): v128 {
  return i32x4.dot_i16x8_s(values, v128.load(PAIRS + pair * 16));
}

// @inline
function descaled(a: v128, b: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(i32x4.shr_s(a, shift), i32x4.shr_s(b, shift));
}

/** Computes samples x and 5 − x of eight columns. */
// @inline
function mirrored(
  low02: v128,
  high02: v128,
  low13: v128,
  high13: v128,
  low45: v128,
  high45: v128,
  x: usize,
  shift: i32,
): void {
  const round = v128.load(ROUND + (shift === ROWS ? 16 : 0));
  const pair = x * 4;
  // `low45` has pairs of in4 and in5: here in5's multiplier is 0; below, the shift drops in4.
  const evenLow = i32x4.add(i32x4.add(dot(low02, pair), dot(low45, pair + 1)), round);
  const evenHigh = i32x4.add(i32x4.add(dot(high02, pair), dot(high45, pair + 1)), round);
  const oddLow = i32x4.add(dot(low13, pair + 2), dot(i32x4.shr_u(low45, 16), pair + 3));
  const oddHigh = i32x4.add(dot(high13, pair + 2), dot(i32x4.shr_u(high45, 16), pair + 3));
  v128.store(WORK + x * 16, descaled(i32x4.add(evenLow, oddLow), i32x4.add(evenHigh, oddHigh), shift));
  v128.store(WORK + (5 - x) * 16, descaled(i32x4.sub(evenLow, oddLow), i32x4.sub(evenHigh, oddHigh), shift));
}

// @inline
function pass(in0: v128, in1: v128, in2: v128, in3: v128, in4: v128, in5: v128, shift: i32): void {
  const low02 = low(in0, in2);
  const high02 = high(in0, in2);
  const low13 = low(in1, in3);
  const high13 = high(in1, in3);
  const low45 = low(in4, in5);
  const high45 = high(in4, in5);
  mirrored(low02, high02, low13, high13, low45, high45, 0, shift);
  mirrored(low02, high02, low13, high13, low45, high45, 1, shift);
  mirrored(low02, high02, low13, high13, low45, high45, 2, shift);
}

// @inline
function row(block: usize, quant: usize, index: usize): v128 {
  return i16x8.mul(v128.load(block + index * 16), v128.load(quant + index * 16));
}

/**
 * Makes 6 × 6 samples. Two bytes more per row are overwritten: they belong to the block on the right, which
 * is made later, or lie past the row's end.
 */
export function low6(block: usize, quant: usize, to: usize, stride: usize): void {
  pass(
    row(block, quant, 0),
    row(block, quant, 1),
    row(block, quant, 2),
    row(block, quant, 3),
    row(block, quant, 4),
    row(block, quant, 5),
    COLUMNS,
  );
  // Transposes six rows of eight to columns of six; the last two lanes are unused.
  const a0 = v128.load(WORK);
  const a1 = v128.load(WORK, 16);
  const a2 = v128.load(WORK, 32);
  const a3 = v128.load(WORK, 48);
  const a4 = v128.load(WORK, 64);
  const a5 = v128.load(WORK, 80);
  const b0 = low(a0, a4);
  const b1 = high(a0, a4);
  const b2 = low(a1, a5);
  const b3 = high(a1, a5);
  const b4 = low(a2, a2);
  const b5 = high(a2, a2);
  const b6 = low(a3, a3);
  const b7 = high(a3, a3);
  const c0 = low(b0, b4);
  const c1 = high(b0, b4);
  const c2 = low(b1, b5);
  const c4 = low(b2, b6);
  const c5 = high(b2, b6);
  const c6 = low(b3, b7);
  pass(low(c0, c4), high(c0, c4), low(c1, c5), high(c1, c5), low(c2, c6), high(c2, c6), ROWS);
  storeRows(to, stride, 6);
}
