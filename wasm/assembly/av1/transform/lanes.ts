/**
 * Arithmetic of the inverse transforms on several values at once, one per lane. `L` is the type of a lane:
 * i16 for 8-bit pictures, whose intermediate values have 16 bits because of the clamps of section 7.13.3; i32
 * for deeper ones. Where the specification requires of a stream that a value fits its range, and it does not,
 * i16 saturates and i32 wraps around.
 */

/** x + y, clamped to −most − 1 … most: half of the Hadamard rotation H (section 7.13.2.1). */
// @inline
export function sum<L>(x: v128, y: v128, most: v128): v128 {
  if (sizeof<L>() === 2) return i16x8.add_sat_s(x, y);
  return clamp(i32x4.add(x, y), most);
}

/** x − y, likewise. */
// @inline
export function difference<L>(x: v128, y: v128, most: v128): v128 {
  if (sizeof<L>() === 2) return i16x8.sub_sat_s(x, y);
  return clamp(i32x4.sub(x, y), most);
}

/** i32 lanes clamped to −most − 1 … most. */
// @inline
export function clamp(x: v128, most: v128): v128 {
  return i32x4.max_s(i32x4.min_s(x, most), v128.not(most));
}

/** Round2(c · x + d · y, 12): half of the butterfly rotation B (section 7.13.2.1). Constants of 13 bits. */
// @inline
export function turn<L>(x: v128, y: v128, c: i32, d: i32): v128 {
  if (sizeof<L>() === 2) {
    const factors = i32x4.splat((c & 0xffff) | (d << 16));
    return i16x8.narrow_i32x4_s(
      scaledDown(i32x4.dot_i16x8_s(pairsLow(x, y), factors)),
      scaledDown(i32x4.dot_i16x8_s(pairsHigh(x, y), factors)),
    );
  }
  return scaledDown(i32x4.add(i32x4.mul(x, i32x4.splat(c)), i32x4.mul(y, i32x4.splat(d))));
}

/** √½ (x + y). */
// @inline
export function halfSum<L>(x: v128, y: v128): v128 {
  if (sizeof<L>() === 2) return turn<L>(x, y, 2896, 2896);
  return scaledDown(i32x4.mul(i32x4.add(x, y), i32x4.splat(2896)));
}

/** √½ (x − y). */
// @inline
export function halfDifference<L>(x: v128, y: v128): v128 {
  if (sizeof<L>() === 2) return turn<L>(x, y, 2896, -2896);
  return scaledDown(i32x4.mul(i32x4.sub(x, y), i32x4.splat(2896)));
}

/** Round2(c · x, 12), |c| below 4096. */
// @inline
export function scale<L>(x: v128, c: i32): v128 {
  if (sizeof<L>() === 2) return i16x8.q15mulr_sat_s(x, i16x8.splat(<i16>(c << 3)));
  return scaledDown(i32x4.mul(x, i32x4.splat(c)));
}

// @inline
export function negative<L>(x: v128): v128 {
  if (sizeof<L>() === 2) return i16x8.sub_sat_s(i16x8.splat(0), x);
  return i32x4.neg(x);
}

/**
 * The last stage of a DCT: merges the even half's output `low`, which is already in place, with an odd one,
 * and writes to `low` and `high`.
 */
// @inline
export function merge<L>(to: usize, low: usize, high: usize, odd: v128, most: v128): void {
  const even = v128.load(to + (low << 4));
  v128.store(to + (low << 4), sum<L>(even, odd, most));
  v128.store(to + (high << 4), difference<L>(even, odd, most));
}

/** Round2 by 12 of i32 lanes. */
// @inline
export function scaledDown(x: v128): v128 {
  return i32x4.shr_s(i32x4.add(x, i32x4.splat(2048)), 12);
}

// @inline
export function pairsLow(x: v128, y: v128): v128 {
  return v128.shuffle<i16>(x, y, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @inline
export function pairsHigh(x: v128, y: v128): v128 {
  return v128.shuffle<i16>(x, y, 4, 12, 5, 13, 6, 14, 7, 15);
}
