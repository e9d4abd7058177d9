/** Sizes of the alphabets of prefix codes. */

/** Literals, LZ77 length prefixes, and distance prefixes (section 6.2.1). */
export const LITERALS: i32 = 256;
export const LENGTH_PREFIXES: i32 = 24;
export const DISTANCE_PREFIXES: i32 = 40;
