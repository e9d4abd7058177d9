/**
 * One-dimensional passes of the inverse DCT: the accurate integer transform of Loeffler, Ligtenberg and
 * Moschytz (ICASSP 1989) with the 13-bit constants and roundings of the IJG's jidctint.c, so that every
 * sample equals libjpeg-turbo's. It is written as sums of products of pairs, which one SIMD instruction
 * computes: each constant below is the sum of the original's constants along one path. A pass works on
 * columns and leaves its results in WORK.
 */

/**
 * Pairs of multipliers, each in all four 32-bit lanes. V8 loads a vector faster than it builds a constant.
 */
// biome-ignore format: a multiplier pair a line
const PAIRS: usize = memory.data<i16>(
  [
    8192, 8192, 8192, 8192, 8192, 8192, 8192, 8192,             // EVEN_SUM: in0 + in4
    8192, -8192, 8192, -8192, 8192, -8192, 8192, -8192,         // EVEN_DIFFERENCE: in0 − in4
    10703, 4433, 10703, 4433, 10703, 4433, 10703, 4433,         // EVEN_OUTER: 0.541 + 0.765 | 0.541
    4433, -10704, 4433, -10704, 4433, -10704, 4433, -10704,     // EVEN_INNER: 0.541 | 0.541 − 1.848
    11363, 9633, 11363, 9633, 11363, 9633, 11363, 9633,         // ODD0 of in1, in3
    6437, 2260, 6437, 2260, 6437, 2260, 6437, 2260,             // ODD0 of in5, in7
    9633, -2259, 9633, -2259, 9633, -2259, 9633, -2259,         // ODD1 of in1, in3
    -11362, -6436, -11362, -6436, -11362, -6436, -11362, -6436, // ODD1 of in5, in7
    6437, -11362, 6437, -11362, 6437, -11362, 6437, -11362,     // ODD2 of in1, in3
    2261, 9633, 2261, 9633, 2261, 9633, 2261, 9633,             // ODD2 of in5, in7
    2260, -6436, 2260, -6436, 2260, -6436, 2260, -6436,         // ODD3 of in1, in3
    9633, -11363, 9633, -11363, 9633, -11363, 9633, -11363,     // ODD3 of in5, in7
    8192, 10703, 8192, 10703, 8192, 10703, 8192, 10703,         // SPARSE0: in0 and in2 alone
    8192, 4433, 8192, 4433, 8192, 4433, 8192, 4433,             // SPARSE1
    8192, -4433, 8192, -4433, 8192, -4433, 8192, -4433,         // SPARSE2
    8192, -10703, 8192, -10703, 8192, -10703, 8192, -10703,     // SPARSE3
  ],
  16,
);
const EVEN_SUM: usize = 0;
const EVEN_DIFFERENCE: usize = 16;
const EVEN_OUTER: usize = 32;
const EVEN_INNER: usize = 48;
const ODD0: usize = 64;
const ODD1: usize = 96;
const ODD2: usize = 128;
const ODD3: usize = 160;
const SPARSE0: usize = 192;
const SPARSE1: usize = 208;
const SPARSE2: usize = 224;
const SPARSE3: usize = 240;

/**
 * Half of the descaling step, for rounding. Columns keep two fractional bits (13 − 2 = 11); rows drop those
 * and the gain of 8 (18).
 */
export const ROUND: usize = memory.data<i32>([1024, 1024, 1024, 1024, 131072, 131072, 131072, 131072], 16);
/** Bits by which the sums are shifted down: in the pass over columns, and in the pass over rows. */
export const COLUMNS: i32 = 11;
export const ROWS: i32 = 18;

/** Between the passes: 8 columns, then their transposition. */
export const WORK: usize = memory.data(128, 16);

// @inline
function dot(values: v128, pair: usize): v128 {
  return i32x4.dot_i16x8_s(values, v128.load(PAIRS + pair));
}

// @inline
export function low(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @inline
export function high(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/**
 * Stores the sum and the difference of an even and an odd term, both halves, descaled, at `place` and 7 −
 * place.
 */
// @inline
function butterfly(
  evenLow: v128,
  evenHigh: v128,
  oddLow: v128,
  oddHigh: v128,
  place: usize,
  shift: i32,
): void {
  v128.store(
    WORK + place * 16,
    i16x8.narrow_i32x4_s(
      i32x4.shr_s(i32x4.add(evenLow, oddLow), shift),
      i32x4.shr_s(i32x4.add(evenHigh, oddHigh), shift),
    ),
  );
  v128.store(
    WORK + (7 - place) * 16,
    i16x8.narrow_i32x4_s(
      i32x4.shr_s(i32x4.sub(evenLow, oddLow), shift),
      i32x4.shr_s(i32x4.sub(evenHigh, oddHigh), shift),
    ),
  );
}

/** One pass over eight columns, all inputs present. Results go to WORK. */
// @inline
export function pass(
  in0: v128,
  in1: v128,
  in2: v128,
  in3: v128,
  in4: v128,
  in5: v128,
  in6: v128,
  in7: v128,
  shift: i32,
): void {
  const round = v128.load(ROUND + (shift === ROWS ? 16 : 0));
  const low04 = low(in0, in4);
  const high04 = high(in0, in4);
  const low26 = low(in2, in6);
  const high26 = high(in2, in6);
  const low13 = low(in1, in3);
  const high13 = high(in1, in3);
  const low57 = low(in5, in7);
  const high57 = high(in5, in7);

  const sumLow = i32x4.add(dot(low04, EVEN_SUM), round);
  const sumHigh = i32x4.add(dot(high04, EVEN_SUM), round);
  const outerLow = dot(low26, EVEN_OUTER);
  const outerHigh = dot(high26, EVEN_OUTER);
  butterfly(
    i32x4.add(sumLow, outerLow),
    i32x4.add(sumHigh, outerHigh),
    i32x4.add(dot(low13, ODD0), dot(low57, ODD0 + 16)),
    i32x4.add(dot(high13, ODD0), dot(high57, ODD0 + 16)),
    0,
    shift,
  );
  butterfly(
    i32x4.sub(sumLow, outerLow),
    i32x4.sub(sumHigh, outerHigh),
    i32x4.add(dot(low13, ODD3), dot(low57, ODD3 + 16)),
    i32x4.add(dot(high13, ODD3), dot(high57, ODD3 + 16)),
    3,
    shift,
  );
  const differenceLow = i32x4.add(dot(low04, EVEN_DIFFERENCE), round);
  const differenceHigh = i32x4.add(dot(high04, EVEN_DIFFERENCE), round);
  const innerLow = dot(low26, EVEN_INNER);
  const innerHigh = dot(high26, EVEN_INNER);
  butterfly(
    i32x4.add(differenceLow, innerLow),
    i32x4.add(differenceHigh, innerHigh),
    i32x4.add(dot(low13, ODD1), dot(low57, ODD1 + 16)),
    i32x4.add(dot(high13, ODD1), dot(high57, ODD1 + 16)),
    1,
    shift,
  );
  butterfly(
    i32x4.sub(differenceLow, innerLow),
    i32x4.sub(differenceHigh, innerHigh),
    i32x4.add(dot(low13, ODD2), dot(low57, ODD2 + 16)),
    i32x4.add(dot(high13, ODD2), dot(high57, ODD2 + 16)),
    2,
    shift,
  );
}

/** The four terms of a sparse pass for one half: inputs 4 to 7 are zero. */
// @inline
function sparseEven(values: v128, pair: usize, round: v128): v128 {
  return i32x4.add(dot(values, pair), round);
}

/** One pass over the low four columns, inputs 4 to 7 zero. The high halves of WORK repeat the low ones. */
// @inline
export function narrowPass(in0: v128, in1: v128, in2: v128, in3: v128): void {
  const round = v128.load(ROUND);
  const even = low(in0, in2);
  const odd = low(in1, in3);
  let e = sparseEven(even, SPARSE0, round);
  let o = dot(odd, ODD0);
  butterfly(e, e, o, o, 0, COLUMNS);
  e = sparseEven(even, SPARSE1, round);
  o = dot(odd, ODD1);
  butterfly(e, e, o, o, 1, COLUMNS);
  e = sparseEven(even, SPARSE2, round);
  o = dot(odd, ODD2);
  butterfly(e, e, o, o, 2, COLUMNS);
  e = sparseEven(even, SPARSE3, round);
  o = dot(odd, ODD3);
  butterfly(e, e, o, o, 3, COLUMNS);
}

/** One pass over eight columns, inputs 4 to 7 zero. */
// @inline
export function widePass(in0: v128, in1: v128, in2: v128, in3: v128): void {
  const round = v128.load(ROUND, 16);
  const evenLow = low(in0, in2);
  const evenHigh = high(in0, in2);
  const oddLow = low(in1, in3);
  const oddHigh = high(in1, in3);
  butterfly(
    sparseEven(evenLow, SPARSE0, round),
    sparseEven(evenHigh, SPARSE0, round),
    dot(oddLow, ODD0),
    dot(oddHigh, ODD0),
    0,
    ROWS,
  );
  butterfly(
    sparseEven(evenLow, SPARSE1, round),
    sparseEven(evenHigh, SPARSE1, round),
    dot(oddLow, ODD1),
    dot(oddHigh, ODD1),
    1,
    ROWS,
  );
  butterfly(
    sparseEven(evenLow, SPARSE2, round),
    sparseEven(evenHigh, SPARSE2, round),
    dot(oddLow, ODD2),
    dot(oddHigh, ODD2),
    2,
    ROWS,
  );
  butterfly(
    sparseEven(evenLow, SPARSE3, round),
    sparseEven(evenHigh, SPARSE3, round),
    dot(oddLow, ODD3),
    dot(oddHigh, ODD3),
    3,
    ROWS,
  );
}
