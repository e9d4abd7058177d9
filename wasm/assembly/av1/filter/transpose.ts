/** Columns to rows and back, eight of eight samples: vertical edges are filtered as horizontal ones. */

// @inline
function interleaveLow(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @inline
function interleaveHigh(a: v128, b: v128): v128 {
  return v128.shuffle<u16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/**
 * Eight rows of eight samples of 16 bits become eight columns.
 * @param toStride, fromStride bytes from row to row
 */
export function transpose8x8(to: usize, toStride: usize, from: usize, fromStride: usize): void {
  const f2 = fromStride << 1;
  const f4 = fromStride << 2;
  const a0 = v128.load(from);
  const a1 = v128.load(from + fromStride);
  const a2 = v128.load(from + f2);
  const a3 = v128.load(from + f2 + fromStride);
  const a4 = v128.load(from + f4);
  const a5 = v128.load(from + f4 + fromStride);
  const a6 = v128.load(from + f4 + f2);
  const a7 = v128.load(from + f4 + f2 + fromStride);
  const b0 = interleaveLow(a0, a4);
  const b1 = interleaveHigh(a0, a4);
  const b2 = interleaveLow(a1, a5);
  const b3 = interleaveHigh(a1, a5);
  const b4 = interleaveLow(a2, a6);
  const b5 = interleaveHigh(a2, a6);
  const b6 = interleaveLow(a3, a7);
  const b7 = interleaveHigh(a3, a7);
  const c0 = interleaveLow(b0, b4);
  const c1 = interleaveHigh(b0, b4);
  const c2 = interleaveLow(b2, b6);
  const c3 = interleaveHigh(b2, b6);
  const c4 = interleaveLow(b1, b5);
  const c5 = interleaveHigh(b1, b5);
  const c6 = interleaveLow(b3, b7);
  const c7 = interleaveHigh(b3, b7);
  const t2 = toStride << 1;
  const t4 = toStride << 2;
  v128.store(to, interleaveLow(c0, c2));
  v128.store(to + toStride, interleaveHigh(c0, c2));
  v128.store(to + t2, interleaveLow(c1, c3));
  v128.store(to + t2 + toStride, interleaveHigh(c1, c3));
  v128.store(to + t4, interleaveLow(c4, c6));
  v128.store(to + t4 + toStride, interleaveHigh(c4, c6));
  v128.store(to + t4 + t2, interleaveLow(c5, c7));
  v128.store(to + t4 + t2 + toStride, interleaveHigh(c5, c7));
}
