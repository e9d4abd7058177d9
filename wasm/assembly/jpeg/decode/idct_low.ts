/**
 * Inverse DCTs of a block's lowest frequencies: N × N samples from its first N × N coefficients, N from 5
 * down to 1. The basis is that of an N-point DCT (T.81 A.3.3 with N in place of 8); the gain is that of 8
 * points, which keeps the block's mean. The result has no frequencies that its size can't hold, like that of
 * a good resampling filter; averages (idct_reduced.ts) alias some of them. Multipliers have 13 bits, and two
 * fractional bits are kept between the passes.
 */
import { flatSample } from './idct';
import { COLUMNS, ROUND, ROWS } from './idct_passes';

/** √2 cos((2x + 1) u π / 2N) × 8192 for pairs of u; 1 for u = 0. */
// biome-ignore format: a multiplier pair a line
const PAIRS: usize = memory.data<i16>(
  [
    8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192,         // 4 points, x 0: in0, in2
    10703, 4433, 10703, 4433, 10703, 4433, 10703, 4433,     // in1, in3
    8192, -8192, 8192, -8192, 8192, -8192, 8192, -8192,     // x 1: in0, in2
    4433, -10703, 4433, -10703, 4433, -10703, 4433, -10703, // in1, in3
    8192, 9373, 8192, 9373, 8192, 9373, 8192, 9373,         // 5 points, x 0: in0, in2
    11018, 6810, 11018, 6810, 11018, 6810, 11018, 6810,     // in1, in3
    3580, 0, 3580, 0, 3580, 0, 3580, 0,                     // in4
    8192, -3580, 8192, -3580, 8192, -3580, 8192, -3580,     // x 1: in0, in2
    6810, -11018, 6810, -11018, 6810, -11018, 6810, -11018, // in1, in3
    -9373, 0, -9373, 0, -9373, 0, -9373, 0,                 // in4
    8192, -11585, 8192, -11585, 8192, -11585, 8192, -11585, // x 2: in0, in2
    11585, 0, 11585, 0, 11585, 0, 11585, 0,                 // in4
    8192, 5793, 8192, 5793, 8192, 5793, 8192, 5793,         // 3 points, x 0: in0, in2
    10033, 0, 10033, 0, 10033, 0, 10033, 0,                 // in1
    8192, -11585, 8192, -11585, 8192, -11585, 8192, -11585, // x 1: in0, in2
    8192, 9373, 8192, -3580, 8192, -11585, 0, 0,            // x 0, 1, 2 side by side: in0, in2
    11018, 6810, 6810, -11018, 0, 0, 0, 0,                  // in1, in3
    3580, 0, -9373, 0, 11585, 0, 0, 0,                      // in4
  ],
  16,
);
const FOUR: usize = 0;
const FIVE: usize = 4;
const FIVE_MIDDLE: usize = 10;
const THREE: usize = 12;
const FIVE_ABREAST: usize = 15;

const LEVEL: usize = memory.data<u8>(
  [128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128],
  16,
);

/** All ones where a sample is on the right of two. */
const RIGHT: usize = memory.data<i32>([0, -1, 0, -1], 16);

// @inline
function dot(values: v128, pair: usize): v128 {
  return i32x4.dot_i16x8_s(values, v128.load(PAIRS + pair * 16));
}

// @inline
function row(block: usize, quant: usize, index: usize): v128 {
  return i16x8.mul(v128.load(block + index * 16), v128.load(quant + index * 16));
}

/** Interleaves the first four values of two rows. */
// @inline
function pairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @inline
function evenPlaces(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
}

// @inline
function oddPlaces(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}

/** Stores four columns of four 32-bit samples as four rows of bytes. */
// @inline
function rowsOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const bytes = i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
  return i8x16.add(
    v128.shuffle<u8>(bytes, bytes, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15),
    v128.load(LEVEL),
  );
}

// @inline
function storeFour(to: usize, stride: usize, rows: v128): void {
  v128.store32_lane(to, rows, 0);
  v128.store32_lane(to + stride, rows, 1);
  v128.store32_lane(to + 2 * stride, rows, 2);
  v128.store32_lane(to + 3 * stride, rows, 3);
}

/**
 * Makes 4 × 4 samples.
 * @param block i16 in natural order
 * @param quant u16 in natural order
 */
export function low4(block: usize, quant: usize, to: usize, stride: usize): void {
  const in02 = pairs(row(block, quant, 0), row(block, quant, 2));
  const in13 = pairs(row(block, quant, 1), row(block, quant, 3));
  let round = v128.load(ROUND);
  let even0 = i32x4.add(dot(in02, FOUR), round);
  let odd0 = dot(in13, FOUR + 1);
  let even1 = i32x4.add(dot(in02, FOUR + 2), round);
  let odd1 = dot(in13, FOUR + 3);
  const rows01 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(even0, odd0), COLUMNS),
    i32x4.shr_s(i32x4.add(even1, odd1), COLUMNS),
  );
  const rows23 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.sub(even1, odd1), COLUMNS),
    i32x4.shr_s(i32x4.sub(even0, odd0), COLUMNS),
  );
  const even = evenPlaces(rows01, rows23);
  const odd = oddPlaces(rows01, rows23);
  round = v128.load(ROUND, 16);
  even0 = i32x4.add(dot(even, FOUR), round);
  odd0 = dot(odd, FOUR + 1);
  even1 = i32x4.add(dot(even, FOUR + 2), round);
  odd1 = dot(odd, FOUR + 3);
  storeFour(
    to,
    stride,
    rowsOf(
      i32x4.shr_s(i32x4.add(even0, odd0), ROWS),
      i32x4.shr_s(i32x4.add(even1, odd1), ROWS),
      i32x4.shr_s(i32x4.sub(even1, odd1), ROWS),
      i32x4.shr_s(i32x4.sub(even0, odd0), ROWS),
    ),
  );
}

/**
 * Packs samples of the second pass into bytes: those of `a` in lanes 0 to 3, those of `b` in lanes 4 to 7.
 */
// @inline
function bytesOf(a: v128, b: v128): v128 {
  const samples = i16x8.narrow_i32x4_s(i32x4.shr_s(a, ROWS), i32x4.shr_s(b, ROWS));
  return i8x16.add(i8x16.narrow_i16x8_s(samples, samples), v128.load(LEVEL));
}

/**
 * Makes 5 × 5 samples. Four columns and four rows are done four at a time; the five results of the fifth
 * stand side by side, 0 to 2 in a sum, 4 and 3 in a difference.
 */
export function low5(block: usize, quant: usize, to: usize, stride: usize): void {
  const in0 = row(block, quant, 0);
  const in1 = row(block, quant, 1);
  const in2 = row(block, quant, 2);
  const in3 = row(block, quant, 3);
  const in4 = row(block, quant, 4);
  const in02 = pairs(in0, in2);
  const in13 = pairs(in1, in3);
  const in44 = pairs(in4, in4);
  let round = v128.load(ROUND);
  let even0 = i32x4.add(i32x4.add(dot(in02, FIVE), dot(in44, FIVE + 2)), round);
  let odd0 = dot(in13, FIVE + 1);
  let even1 = i32x4.add(i32x4.add(dot(in02, FIVE + 3), dot(in44, FIVE + 5)), round);
  let odd1 = dot(in13, FIVE + 4);
  let middle = i32x4.add(i32x4.add(dot(in02, FIVE_MIDDLE), dot(in44, FIVE_MIDDLE + 1)), round);
  const rows01 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(even0, odd0), COLUMNS),
    i32x4.shr_s(i32x4.add(even1, odd1), COLUMNS),
  );
  const rows23 = i16x8.narrow_i32x4_s(
    i32x4.shr_s(middle, COLUMNS),
    i32x4.shr_s(i32x4.sub(even1, odd1), COLUMNS),
  );
  const row4 = i32x4.shr_s(i32x4.sub(even0, odd0), COLUMNS);
  const rows44 = i16x8.narrow_i32x4_s(row4, row4);
  // Column 4.
  let even = i32x4.add(
    dot(v128.shuffle<i16>(in0, in2, 4, 12, 4, 12, 4, 12, 4, 12), FIVE_ABREAST),
    dot(v128.shuffle<i16>(in4, in4, 4, 4, 4, 4, 4, 4, 4, 4), FIVE_ABREAST + 2),
  );
  even = i32x4.add(even, round);
  let odd = dot(v128.shuffle<i16>(in1, in3, 4, 12, 4, 12, 4, 12, 4, 12), FIVE_ABREAST + 1);
  const upper = i32x4.shr_s(i32x4.add(even, odd), COLUMNS);
  const lower = i32x4.shr_s(i32x4.sub(even, odd), COLUMNS);

  round = v128.load(ROUND, 16);
  const column02 = evenPlaces(rows01, rows23);
  const column13 = oddPlaces(rows01, rows23);
  // Pairs whose second value has a multiplier of 0.
  const column4 = v128.shuffle<i32>(upper, lower, 0, 1, 2, 5);
  even0 = i32x4.add(i32x4.add(dot(column02, FIVE), dot(column4, FIVE + 2)), round);
  odd0 = dot(column13, FIVE + 1);
  even1 = i32x4.add(i32x4.add(dot(column02, FIVE + 3), dot(column4, FIVE + 5)), round);
  odd1 = dot(column13, FIVE + 4);
  middle = i32x4.add(i32x4.add(dot(column02, FIVE_MIDDLE), dot(column4, FIVE_MIDDLE + 1)), round);
  storeFour(
    to,
    stride,
    rowsOf(
      i32x4.shr_s(i32x4.add(even0, odd0), ROWS),
      i32x4.shr_s(i32x4.add(even1, odd1), ROWS),
      i32x4.shr_s(middle, ROWS),
      i32x4.shr_s(i32x4.sub(even1, odd1), ROWS),
    ),
  );
  const last = bytesOf(i32x4.sub(even0, odd0), round);
  v128.store8_lane(to, last, 0, 4);
  v128.store8_lane(to + stride, last, 1, 4);
  v128.store8_lane(to + 2 * stride, last, 2, 4);
  v128.store8_lane(to + 3 * stride, last, 3, 4);
  // Row 4.
  even = i32x4.add(
    dot(v128.shuffle<i16>(rows44, rows44, 0, 2, 0, 2, 0, 2, 0, 2), FIVE_ABREAST),
    dot(v128.shuffle<i32>(lower, lower, 0, 0, 0, 0), FIVE_ABREAST + 2),
  );
  even = i32x4.add(even, round);
  odd = dot(v128.shuffle<i16>(rows44, rows44, 1, 3, 1, 3, 1, 3, 1, 3), FIVE_ABREAST + 1);
  // Samples 0 to 2, then 4 and 3 from the mirrored half.
  const bottom = bytesOf(i32x4.add(even, odd), i32x4.sub(even, odd));
  to += 4 * stride;
  v128.store32_lane(to, v128.shuffle<u8>(bottom, bottom, 0, 1, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0);
  v128.store8_lane(to, bottom, 4, 4);
}

/** Makes 3 × 3 samples. One byte more per row is overwritten, as in `low6`. */
export function low3(block: usize, quant: usize, to: usize, stride: usize): void {
  const in1 = row(block, quant, 1);
  const in02 = pairs(row(block, quant, 0), row(block, quant, 2));
  const in11 = pairs(in1, in1);
  let round = v128.load(ROUND);
  let outer = i32x4.add(dot(in02, THREE), round);
  let odd = dot(in11, THREE + 1);
  let middle = i32x4.shr_s(i32x4.add(dot(in02, THREE + 2), round), COLUMNS);
  const rows01 = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(outer, odd), COLUMNS), middle);
  const rows2 = i32x4.shr_s(i32x4.sub(outer, odd), COLUMNS);
  const rows23 = i16x8.narrow_i32x4_s(rows2, rows2);
  const column02 = evenPlaces(rows01, rows23);
  const column1 = oddPlaces(rows01, rows23);
  round = v128.load(ROUND, 16);
  outer = i32x4.add(dot(column02, THREE), round);
  odd = dot(column1, THREE + 1);
  middle = i32x4.shr_s(i32x4.add(dot(column02, THREE + 2), round), ROWS);
  const right = i32x4.shr_s(i32x4.sub(outer, odd), ROWS);
  const rows = rowsOf(i32x4.shr_s(i32x4.add(outer, odd), ROWS), middle, right, right);
  v128.store32_lane(to, rows, 0);
  v128.store32_lane(to + stride, rows, 1);
  v128.store32_lane(to + 2 * stride, rows, 2);
}

/**
 * Makes 2 × 2 samples: all multipliers are 1. Coefficients are added in 32 bits, as 16 do not hold the sums.
 */
export function low2(block: usize, quant: usize, to: usize, stride: usize): void {
  const upper = i32x4.extend_low_i16x8_s(i16x8.mul(v128.load64_zero(block), v128.load64_zero(quant)));
  const lower = i32x4.extend_low_i16x8_s(i16x8.mul(v128.load64_zero(block, 16), v128.load64_zero(quant, 16)));
  const sum = i32x4.add(upper, lower);
  const difference = i32x4.sub(upper, lower);
  // Of the two rows: their means, and what is added to the left and subtracted from the right.
  const means = v128.shuffle<i32>(sum, difference, 0, 0, 4, 4);
  const across = v128.shuffle<i32>(sum, difference, 1, 1, 5, 5);
  const right = v128.load(RIGHT);
  const signed = i32x4.sub(v128.xor(across, right), right);
  const samples = i32x4.shr_s(i32x4.add(i32x4.add(means, signed), i32x4.splat(4)), 3);
  const words = i16x8.narrow_i32x4_s(samples, samples);
  const bytes = i8x16.add(i8x16.narrow_i16x8_s(words, words), v128.load(LEVEL));
  v128.store16_lane(to, bytes, 0);
  v128.store16_lane(to + stride, bytes, 1);
}

/** Makes one sample, the block's mean. */
export function low1(block: usize, quant: usize, to: usize): void {
  store<u8>(to, flatSample(load<i16>(block), quant));
}
