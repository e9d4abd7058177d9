/** Columns to rows and back, eight of 16 samples each: vertical edges are filtered as horizontal ones. */

// @inline
function interleaveLow(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

// @inline
function interleaveHigh(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** Samples 0 to 7 of rows y and y + 8, by turns. */
// @inline
function interleaveRows(upper: usize, lower: usize): v128 {
  return interleaveLow(v128.load64_zero(upper), v128.load64_zero(lower));
}

/**
 * Eight columns of 16 rows become eight rows of 16.
 * @param to 128 bytes
 * @param upper, lower where the first of eight rows each begins, `stride` bytes apart
 */
export function transpose(to: usize, upper: usize, lower: usize, stride: usize): void {
  const s1 = stride;
  const s2 = stride << 1;
  const s3 = s2 + stride;
  const s4 = stride << 2;
  const a0 = interleaveRows(upper, lower);
  const a1 = interleaveRows(upper + s1, lower + s1);
  const a2 = interleaveRows(upper + s2, lower + s2);
  const a3 = interleaveRows(upper + s3, lower + s3);
  const a4 = interleaveRows(upper + s4, lower + s4);
  const a5 = interleaveRows(upper + s4 + s1, lower + s4 + s1);
  const a6 = interleaveRows(upper + s4 + s2, lower + s4 + s2);
  const a7 = interleaveRows(upper + s4 + s3, lower + s4 + s3);
  const b0 = interleaveLow(a0, a4);
  const b1 = interleaveLow(a1, a5);
  const b2 = interleaveLow(a2, a6);
  const b3 = interleaveLow(a3, a7);
  const b4 = interleaveHigh(a0, a4);
  const b5 = interleaveHigh(a1, a5);
  const b6 = interleaveHigh(a2, a6);
  const b7 = interleaveHigh(a3, a7);
  let even = interleaveLow(b0, b2);
  let odd = interleaveLow(b1, b3);
  v128.store(to, interleaveLow(even, odd));
  v128.store(to, interleaveHigh(even, odd), 16);
  even = interleaveHigh(b0, b2);
  odd = interleaveHigh(b1, b3);
  v128.store(to, interleaveLow(even, odd), 32);
  v128.store(to, interleaveHigh(even, odd), 48);
  even = interleaveLow(b4, b6);
  odd = interleaveLow(b5, b7);
  v128.store(to, interleaveLow(even, odd), 64);
  v128.store(to, interleaveHigh(even, odd), 80);
  even = interleaveHigh(b4, b6);
  odd = interleaveHigh(b5, b7);
  v128.store(to, interleaveLow(even, odd), 96);
  v128.store(to, interleaveHigh(even, odd), 112);
}

// @inline
function storeTwo(to: usize, stride: usize, rows: v128): void {
  v128.store64_lane(to, rows, 0);
  v128.store64_lane(to + stride, rows, 1);
}

/** The other way round. */
export function transposeBack(from: usize, upper: usize, lower: usize, stride: usize): void {
  const c0 = v128.load(from);
  const c1 = v128.load(from, 16);
  const c2 = v128.load(from, 32);
  const c3 = v128.load(from, 48);
  const c4 = v128.load(from, 64);
  const c5 = v128.load(from, 80);
  const c6 = v128.load(from, 96);
  const c7 = v128.load(from, 112);
  const s2 = stride << 1;
  let even0 = interleaveLow(c0, c4);
  let even1 = interleaveLow(c2, c6);
  let odd0 = interleaveLow(c1, c5);
  let odd1 = interleaveLow(c3, c7);
  storeHalf(upper, stride, s2, even0, even1, odd0, odd1);
  even0 = interleaveHigh(c0, c4);
  even1 = interleaveHigh(c2, c6);
  odd0 = interleaveHigh(c1, c5);
  odd1 = interleaveHigh(c3, c7);
  storeHalf(lower, stride, s2, even0, even1, odd0, odd1);
}

// @inline
function storeHalf(
  to: usize,
  stride: usize,
  s2: usize,
  even0: v128,
  even1: v128,
  odd0: v128,
  odd1: v128,
): void {
  let even = interleaveLow(even0, even1);
  let odd = interleaveLow(odd0, odd1);
  storeTwo(to, stride, interleaveLow(even, odd));
  storeTwo(to + s2, stride, interleaveHigh(even, odd));
  even = interleaveHigh(even0, even1);
  odd = interleaveHigh(odd0, odd1);
  storeTwo(to + s2 + s2, stride, interleaveLow(even, odd));
  storeTwo(to + s2 + s2 + s2, stride, interleaveHigh(even, odd));
}
