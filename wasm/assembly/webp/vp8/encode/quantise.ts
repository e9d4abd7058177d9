/**
 * Quantises 4 × 4 blocks by a table of factors, their reciprocals and roundings. Less than a half is added
 * before dividing, because zeros and small levels are cheap.
 */

/**
 * Bytes of a table: 16 factors, reciprocals (16 bits after the point), roundings and least ones, 16 u16 each.
 */
export const TABLE_BYTES: usize = 128;
const RECIPROCALS: usize = 32;
const ROUNDINGS: usize = 64;
const LEAST_ONES: usize = 96;

/**
 * The least coefficient that becomes a level of one, in 256ths of the factor. Only then does the rounding of
 * larger levels apply. It is nearly to the nearest, because among those no level is more likely than the
 * next.
 */
const LEAST_ONE: i32 = 146;

/** The largest possible level: 67 and 11 extra bits (RFC 6386 section 13.2). */
const MOST: i16 = 2047;

/** Fills a table. Roundings are in 256ths of the factor. */
export function fillTable(table: usize, dc: i32, ac: i32, dcRounding: i32, acRounding: i32): void {
  for (let i: usize = 0; i < 16; i++) {
    const factor = i === 0 ? dc : ac;
    const at = table + (i << 1);
    store<u16>(at, factor);
    store<u16>(at, (65536 + factor - 1) / factor, RECIPROCALS);
    store<u16>(at, (factor * (i === 0 ? dcRounding : acRounding)) >> 8, ROUNDINGS);
    store<u16>(at, (factor * LEAST_ONE) >> 8, LEAST_ONES);
  }
}

// @inline
function divided(magnitudes: v128, table: usize): v128 {
  const sums = i16x8.add(magnitudes, v128.load(table, ROUNDINGS));
  const reciprocals = v128.load(table, RECIPROCALS);
  const low = i32x4.shr_u(i32x4.extmul_low_i16x8_u(sums, reciprocals), 16);
  const high = i32x4.shr_u(i32x4.extmul_high_i16x8_u(sums, reciprocals), 16);
  const levels = i16x8.min_s(i16x8.narrow_i32x4_s(low, high), i16x8.splat(MOST));
  return v128.andnot(levels, i16x8.lt_s(magnitudes, v128.load(table, LEAST_ONES)));
}

// @inline
function signed(levels: v128, signs: v128): v128 {
  return i16x8.sub(v128.xor(levels, signs), signs);
}

/**
 * Quantises one block.
 * @param block 16 i16, row after row
 * @param decoded receives what a decoder makes of the levels, row after row
 * @param levels receives 16 i16 in coded order (RFC 6386 section 13)
 * @returns the place of the last non-zero level, −1 if there is none
 */
// @inline
export function quantise(block: usize, table: usize, levels: usize, decoded: usize): i32 {
  const upper = v128.load(block);
  const lower = v128.load(block, 16);
  const upperLevels = signed(divided(i16x8.abs(upper), table), i16x8.shr_s(upper, 15));
  const lowerLevels = signed(divided(i16x8.abs(lower), table + 16), i16x8.shr_s(lower, 15));
  v128.store(decoded, i16x8.mul(upperLevels, v128.load(table)));
  v128.store(decoded, i16x8.mul(lowerLevels, v128.load(table, 16)), 16);
  const first = v128.shuffle<i16>(upperLevels, lowerLevels, 0, 1, 4, 8, 5, 2, 3, 6);
  const second = v128.shuffle<i16>(upperLevels, lowerLevels, 9, 12, 13, 10, 7, 11, 14, 15);
  v128.store(levels, first);
  v128.store(levels, second, 16);
  return 31 - clz<i32>(nonzeroMask(first, second));
}

/** One bit per non-zero level. */
// @inline
function nonzeroMask(first: v128, second: v128): i32 {
  return i8x16.bitmask(i8x16.ne(i8x16.narrow_i16x8_s(first, second), i64x2.splat(0)));
}

/** Whether at most three levels after the first are non-zero. */
// @inline
export function fewLevels(levels: usize): bool {
  return popcnt<i32>(nonzeroMask(v128.load(levels), v128.load(levels, 16)) & 0xfffe) <= 3;
}

/** Turns levels in coded order into what a decoder makes of them, row after row. */
// @inline
export function dequantise(levels: usize, table: usize, decoded: usize): void {
  const first = v128.load(levels);
  const second = v128.load(levels, 16);
  const upper = v128.shuffle<i16>(first, second, 0, 1, 5, 6, 2, 4, 7, 12);
  const lower = v128.shuffle<i16>(first, second, 3, 8, 11, 13, 9, 10, 14, 15);
  v128.store(decoded, i16x8.mul(upper, v128.load(table)));
  v128.store(decoded, i16x8.mul(lower, v128.load(table, 16)), 16);
}
