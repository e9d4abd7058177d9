/** Halves chroma in both directions, and measures what that loses. */

/** The IJG's alternating bias (jcsample.c, h2v2_downsample): halves are rounded down and up in turn. */
const BIAS: usize = memory.data<i16>([1, 2, 1, 2, 1, 2, 1, 2], 16);
/** Adjacent pairs of two rows, summed: eight quads. */
// @inline
function quadSums(above: v128, below: v128): v128 {
  return i16x8.add(i16x8.extadd_pairwise_i8x16_u(above), i16x8.extadd_pairwise_i8x16_u(below));
}

/**
 * In even bytes: the largest minus the smallest sample of a quad, less `blunt`. Odd bytes become 0, as
 * `blunt` has 255 there.
 */
// @inline
function sharpness(above: v128, below: v128, blunt: v128): v128 {
  const most = i8x16.max_u(above, below);
  const least = i8x16.min_u(above, below);
  const range = i8x16.sub(i8x16.max_u(most, i16x8.shr_u(most, 8)), i8x16.min_u(least, i16x8.shr_u(least, 8)));
  return i8x16.sub_sat_u(range, blunt);
}

/**
 * Halves two rows of one component to one row of `width` samples; up to 15 more may be written.
 * @param edge difference within four pixels from which on it counts as sharp, 1 to 255
 * @returns how many quads have samples that differ by `edge` or more
 */
export function halveRows(above: usize, below: usize, to: usize, width: i32, edge: i32): i32 {
  const blunt = i16x8.splat(<i16>(0xff00 | (edge - 1)));
  const end = to + <usize>width;
  const bias = v128.load(BIAS);
  let sharp = 0;
  while (to < end) {
    const a0 = v128.load(above);
    const a1 = v128.load(above, 16);
    const b0 = v128.load(below);
    const b1 = v128.load(below, 16);
    v128.store(
      to,
      i8x16.narrow_i16x8_u(
        i16x8.shr_u(i16x8.add(quadSums(a0, b0), bias), 2),
        i16x8.shr_u(i16x8.add(quadSums(a1, b1), bias), 2),
      ),
    );
    const edges = i8x16.narrow_i16x8_u(sharpness(a0, b0, blunt), sharpness(a1, b1, blunt));
    if (v128.any_true(edges)) sharp += 16 - popcnt(i8x16.bitmask(i8x16.eq(edges, i64x2.splat(0))));
    above += 32;
    below += 32;
    to += 16;
  }
  return sharp;
}
