/**
 * The accurate integer forward DCT of Loeffler, Ligtenberg and Moschytz (Practical fast 1-D DCT algorithms
 * with 11 multiplications, ICASSP 1989) with the constants, scalings and roundings of the IJG's jfdctint.c
 * ("islow"): 13-bit constants, 32-bit products, results eight times too large.
 */

/** The constants of jfdctint.c in 2^13, as pairs for the dot product. */
const PAIRS: usize = memory.data<i16>(
  [
    4433, 10703, 4433, 10703, 4433, 10703, 4433, 10703, -10704, 4433, -10704, 4433, -10704, 4433, -10704,
    4433, -6436, 9633, -6436, 9633, -6436, 9633, -6436, 9633, 9633, 6437, 9633, 6437, 9633, 6437, 9633, 6437,
    -4927, -7373, -4927, -7373, -4927, -7373, -4927, -7373, -7373, 4926, -7373, 4926, -7373, 4926, -7373,
    4926, -4176, -20995, -4176, -20995, -4176, -20995, -4176, -20995, -20995, 4177, -20995, 4177, -20995,
    4177, -20995, 4177,
  ],
  16,
);
/** Half of what the first pass divides by (2^11), then of the second's divisor (2^15). */
const HALVES: usize = memory.data<i32>([1024, 1024, 1024, 1024, 16384, 16384, 16384, 16384], 16);
/** The level shift of eight samples (T.81 A.3.1), and half of 2^2 for the second pass's rounding. */
const OFFSETS: usize = memory.data<i16>(
  [1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 2, 2, 2, 2, 2, 2, 2, 2],
  16,
);

// @inline
function low16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
// @inline
function high16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
// @inline
function low32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5);
}
// @inline
function high32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7);
}
// @inline
function low64(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2);
}
// @inline
function high64(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3);
}
// @inline
function low8(a: v128, b: v128): v128 {
  return v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/** Shifts two vectors of sums of products back to 16 bits. */
// @inline
function descaled(low: v128, high: v128, second: bool): v128 {
  return second
    ? i16x8.narrow_i32x4_s(i32x4.shr_s(low, 15), i32x4.shr_s(high, 15))
    : i16x8.narrow_i32x4_s(i32x4.shr_s(low, 11), i32x4.shr_s(high, 11));
}

/** Eight one-dimensional transforms side by side; writes output k at `to` + 16 k. */
// @inline
function transform(
  to: usize,
  second: bool,
  d0: v128,
  d1: v128,
  d2: v128,
  d3: v128,
  d4: v128,
  d5: v128,
  d6: v128,
  d7: v128,
): void {
  const half = v128.load(second ? HALVES + 16 : HALVES);
  const s0 = i16x8.add(d0, d7);
  const s1 = i16x8.add(d1, d6);
  const s2 = i16x8.add(d2, d5);
  const s3 = i16x8.add(d3, d4);
  const e0 = i16x8.add(s0, s3);
  const e3 = i16x8.sub(s0, s3);
  const e1 = i16x8.add(s1, s2);
  const e2 = i16x8.sub(s1, s2);
  if (second) {
    const two = v128.load(OFFSETS, 16);
    const even = i16x8.add(e0, two);
    v128.store(to, i16x8.shr_s(i16x8.add(even, e1), 2));
    v128.store(to, i16x8.shr_s(i16x8.sub(even, e1), 2), 64);
  } else {
    v128.store(to, i16x8.shl(i16x8.sub(i16x8.add(e0, e1), v128.load(OFFSETS)), 2));
    v128.store(to, i16x8.shl(i16x8.sub(e0, e1), 2), 64);
  }
  const evenLow = low16(e2, e3);
  const evenHigh = high16(e2, e3);
  // Here the pairs are (tmp12, tmp13) of jfdctint.c: tmp13 = s0 − s3, tmp12 = s1 − s2.
  let factor = v128.load(PAIRS);
  v128.store(
    to,
    descaled(
      i32x4.add(i32x4.dot_i16x8_s(evenLow, factor), half),
      i32x4.add(i32x4.dot_i16x8_s(evenHigh, factor), half),
      second,
    ),
    32,
  );
  factor = v128.load(PAIRS, 16);
  v128.store(
    to,
    descaled(
      i32x4.add(i32x4.dot_i16x8_s(evenLow, factor), half),
      i32x4.add(i32x4.dot_i16x8_s(evenHigh, factor), half),
      second,
    ),
    96,
  );

  const t7 = i16x8.sub(d0, d7);
  const t6 = i16x8.sub(d1, d6);
  const t5 = i16x8.sub(d2, d5);
  const t4 = i16x8.sub(d3, d4);
  const z3 = i16x8.add(t4, t6);
  const z4 = i16x8.add(t5, t7);
  const zLow = low16(z3, z4);
  const zHigh = high16(z3, z4);
  const thirdFactor = v128.load(PAIRS, 32);
  const fourthFactor = v128.load(PAIRS, 48);
  // Rounding is added to these two sums, because every odd output contains one of them.
  const z3Low = i32x4.add(i32x4.dot_i16x8_s(zLow, thirdFactor), half);
  const z3High = i32x4.add(i32x4.dot_i16x8_s(zHigh, thirdFactor), half);
  const z4Low = i32x4.add(i32x4.dot_i16x8_s(zLow, fourthFactor), half);
  const z4High = i32x4.add(i32x4.dot_i16x8_s(zHigh, fourthFactor), half);
  const outerLow = low16(t4, t7);
  const outerHigh = high16(t4, t7);
  factor = v128.load(PAIRS, 64);
  v128.store(
    to,
    descaled(
      i32x4.add(i32x4.dot_i16x8_s(outerLow, factor), z3Low),
      i32x4.add(i32x4.dot_i16x8_s(outerHigh, factor), z3High),
      second,
    ),
    112,
  );
  factor = v128.load(PAIRS, 80);
  v128.store(
    to,
    descaled(
      i32x4.add(i32x4.dot_i16x8_s(outerLow, factor), z4Low),
      i32x4.add(i32x4.dot_i16x8_s(outerHigh, factor), z4High),
      second,
    ),
    16,
  );
  const innerLow = low16(t5, t6);
  const innerHigh = high16(t5, t6);
  factor = v128.load(PAIRS, 96);
  v128.store(
    to,
    descaled(
      i32x4.add(i32x4.dot_i16x8_s(innerLow, factor), z4Low),
      i32x4.add(i32x4.dot_i16x8_s(innerHigh, factor), z4High),
      second,
    ),
    80,
  );
  factor = v128.load(PAIRS, 112);
  v128.store(
    to,
    descaled(
      i32x4.add(i32x4.dot_i16x8_s(innerLow, factor), z3Low),
      i32x4.add(i32x4.dot_i16x8_s(innerHigh, factor), z3High),
      second,
    ),
    48,
  );
}

/** 8 × 8 samples to 64 i16 coefficients in natural order, times eight. `block` is 16-byte aligned. */
// @inline
export function forwardDct(block: usize, samples: usize, stride: usize): void {
  let row = samples;
  const a0 = low8(v128.load64_zero(row), v128.load64_zero(row + stride));
  row += stride << 1;
  const a1 = low8(v128.load64_zero(row), v128.load64_zero(row + stride));
  row += stride << 1;
  const a2 = low8(v128.load64_zero(row), v128.load64_zero(row + stride));
  row += stride << 1;
  const a3 = low8(v128.load64_zero(row), v128.load64_zero(row + stride));
  const b0 = low16(a0, a1);
  const b1 = high16(a0, a1);
  const b2 = low16(a2, a3);
  const b3 = high16(a2, a3);
  const c0 = low32(b0, b2);
  const c1 = high32(b0, b2);
  const c2 = low32(b1, b3);
  const c3 = high32(b1, b3);
  transform(
    block,
    false,
    i16x8.extend_low_i8x16_u(c0),
    i16x8.extend_high_i8x16_u(c0),
    i16x8.extend_low_i8x16_u(c1),
    i16x8.extend_high_i8x16_u(c1),
    i16x8.extend_low_i8x16_u(c2),
    i16x8.extend_high_i8x16_u(c2),
    i16x8.extend_low_i8x16_u(c3),
    i16x8.extend_high_i8x16_u(c3),
  );
  const r0 = v128.load(block);
  const r1 = v128.load(block, 16);
  const r2 = v128.load(block, 32);
  const r3 = v128.load(block, 48);
  const r4 = v128.load(block, 64);
  const r5 = v128.load(block, 80);
  const r6 = v128.load(block, 96);
  const r7 = v128.load(block, 112);
  const t0 = low16(r0, r1);
  const t1 = high16(r0, r1);
  const t2 = low16(r2, r3);
  const t3 = high16(r2, r3);
  const t4 = low16(r4, r5);
  const t5 = high16(r4, r5);
  const t6 = low16(r6, r7);
  const t7 = high16(r6, r7);
  const u0 = low32(t0, t2);
  const u1 = high32(t0, t2);
  const u2 = low32(t1, t3);
  const u3 = high32(t1, t3);
  const u4 = low32(t4, t6);
  const u5 = high32(t4, t6);
  const u6 = low32(t5, t7);
  const u7 = high32(t5, t7);
  transform(
    block,
    true,
    low64(u0, u4),
    high64(u0, u4),
    low64(u1, u5),
    high64(u1, u5),
    low64(u2, u6),
    high64(u2, u6),
    low64(u3, u7),
    high64(u3, u7),
  );
}
