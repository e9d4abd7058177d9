/** The inverse identity transforms of 4 to 32 values (section 7.13.2.15), in the units of dct.ts. */
import { clamp, scale } from './lanes';

/** √2 − 1 and 2√2 − 2 in 12 fractional bits: what 5793 and 11586 are beyond 1 and 2. */
const ROOT: i32 = 1697;
const TWICE_ROOT: i32 = 3394;

/**
 * Rows, with Round2 by `shift` and clamped to 16 bits (i16) or −most − 1 … most.
 * @param log2 of the values, 2 to 5
 * @param shift 0 to 2, as the sizes that have such rows have it
 */
export function identityRows<L>(from: usize, to: usize, log2: i32, shift: i32, most: v128): void {
  for (let end = from + ((<usize>16) << log2); from < end; from += 16, to += 16) {
    const x = v128.load(from);
    v128.store(
      to,
      sizeof<L>() === 2 ? narrowRow(x, log2, shift) : clamp(rounded(stretched(x, log2), shift), most),
    );
  }
}

/** Columns. Values beyond 16 bits saturate with i16: they clip every sample anyway. */
export function identityColumns<L>(from: usize, spacing: usize, to: usize, log2: i32): void {
  for (let end = to + ((<usize>16) << log2); to < end; to += 16, from += spacing) {
    const x = v128.load(from);
    v128.store(to, sizeof<L>() === 2 ? saturated(x, log2) : stretched(x, log2));
  }
}

/** i32 lanes times √2, 2, 2√2 or 4. */
// @inline
function stretched(x: v128, log2: i32): v128 {
  if (log2 === 2) return i32x4.add(x, scale<i32>(x, ROOT));
  if (log2 === 3) return i32x4.shl(x, 1);
  if (log2 === 4) return i32x4.add(i32x4.shl(x, 1), scale<i32>(x, TWICE_ROOT));
  return i32x4.shl(x, 2);
}

// @inline
function rounded(x: v128, shift: i32): v128 {
  return i32x4.shr_s(i32x4.add(x, i32x4.splat((1 << shift) >> 1)), shift);
}

/** The same of i16 lanes, saturating. */
// @inline
function saturated(x: v128, log2: i32): v128 {
  if (log2 === 2) return i16x8.add_sat_s(x, scale<i16>(x, ROOT));
  const twice = i16x8.add_sat_s(x, x);
  if (log2 === 3) return twice;
  return i16x8.add_sat_s(twice, log2 === 4 ? scale<i16>(x, TWICE_ROOT) : twice);
}

/** Round2 of `saturated` as if it had not saturated before. */
// @inline
function narrowRow(x: v128, log2: i32, shift: i32): v128 {
  if (shift === 0) return saturated(x, log2);
  if (log2 === 2) return mean(x, scale<i16>(x, ROOT));
  if (log2 === 3) return shift === 1 ? x : halved(x);
  if (log2 === 4) {
    const more = scale<i16>(x, TWICE_ROOT);
    return shift === 1 ? i16x8.add_sat_s(x, halved(more)) : mean(x, i16x8.shr_s(more, 1));
  }
  return shift === 1 ? i16x8.add_sat_s(x, x) : x;
}

/** Round2(x, 1). */
// @inline
function halved(x: v128): v128 {
  return i16x8.q15mulr_sat_s(x, i16x8.splat(1 << 14));
}

/** Round2(x + y, 1): the mean of unsigned lanes is made one of signed ones. */
// @inline
function mean(x: v128, y: v128): v128 {
  const sign = i16x8.splat(-0x8000);
  return v128.xor(i16x8.avgr_u(v128.xor(x, sign), v128.xor(y, sign)), sign);
}
