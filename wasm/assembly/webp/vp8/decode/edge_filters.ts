/**
 * Loop filters across one edge of 16 samples (RFC 6386 section 15). The edge lies between rows: four above it
 * (p3 to p0) and four below (q0 to q3), `stride` bytes apart.
 */

const SIGNS: usize = memory.data<u8>(
  [128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128],
  16,
);
const THREES: usize = memory.data<u8>([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3], 16);
const FOURS: usize = memory.data<u8>([4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4], 16);
const ONES: usize = memory.data<u8>([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 16);
const NINES: usize = memory.data<i16>([9, 9, 9, 9, 9, 9, 9, 9], 16);
/** Rounding before a division by 128. */
const SIXTY_THREES: usize = memory.data<i16>([63, 63, 63, 63, 63, 63, 63, 63], 16);

// @inline
function difference(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

/** A mask of the lanes where 2 |p0 − q0| + |p1 − q1| / 2 ≤ limit. */
// @inline
function withinLimit(p1: v128, p0: v128, q0: v128, q1: v128, limit: i32): v128 {
  const inner = difference(p0, q0);
  const outer = i8x16.shr_u(difference(p1, q1), 1);
  return i8x16.le_u(i8x16.add_sat_u(i8x16.add_sat_u(inner, inner), outer), i8x16.splat(<i8>limit));
}

/** Converts samples to signed numbers, or back. */
// @inline
function flipSign(samples: v128): v128 {
  return v128.xor(samples, v128.load(SIGNS));
}

/** base + 3 × (q0 − p0), saturated to −128 … 127. */
// @inline
function addSteps(base: v128, p0: v128, q0: v128): v128 {
  const step = i8x16.sub_sat_s(q0, p0);
  return i8x16.add_sat_s(i8x16.add_sat_s(i8x16.add_sat_s(base, step), step), step);
}

/**
 * The adjustment that is subtracted from q0; the next function has the one added to p0 (section 15.2,
 * common_adjust).
 */
// @inline
function offQ0(value: v128): v128 {
  return i8x16.shr_s(i8x16.add_sat_s(value, v128.load(FOURS)), 3);
}
// @inline
function ontoP0(value: v128): v128 {
  return i8x16.shr_s(i8x16.add_sat_s(value, v128.load(THREES)), 3);
}

/** The simple filter (section 15.2). @param above, below addresses of p0 and q0 */
export function filterSimpleEdge(above: usize, below: usize, stride: usize, limit: i32): void {
  const p1 = v128.load(above - stride);
  const p0 = v128.load(above);
  const q0 = v128.load(below);
  const q1 = v128.load(below + stride);
  const mask = withinLimit(p1, p0, q0, q1, limit);
  const sp0 = flipSign(p0);
  const sq0 = flipSign(q0);
  const base = i8x16.sub_sat_s(flipSign(p1), flipSign(q1));
  const value = v128.and(addSteps(base, sp0, sq0), mask);
  v128.store(above, flipSign(i8x16.add_sat_s(sp0, ontoP0(value))));
  v128.store(below, flipSign(i8x16.sub_sat_s(sq0, offQ0(value))));
}

/** A mask of the lanes where all neighbours differ by at most `interior` (section 15.3). */
// @inline
function withinInterior(
  p3: v128,
  p2: v128,
  p1: v128,
  q1: v128,
  q2: v128,
  q3: v128,
  nearest: v128,
  interior: i32,
): v128 {
  const far = i8x16.max_u(difference(p3, p2), difference(q3, q2));
  const near = i8x16.max_u(difference(p2, p1), difference(q2, q1));
  return i8x16.le_u(i8x16.max_u(i8x16.max_u(far, near), nearest), i8x16.splat(<i8>interior));
}

/**
 * The normal filter between blocks of one macroblock (section 15.3, subblock_filter).
 * @param at address of q0
 * @param variance above this difference next to the edge, edge variance is high
 */
export function filterInnerEdge(at: usize, stride: usize, limit: i32, interior: i32, variance: i32): void {
  const above = at - stride;
  const p3 = v128.load(above - 3 * stride);
  const p2 = v128.load(above - 2 * stride);
  const p1 = v128.load(above - stride);
  const p0 = v128.load(above);
  const q0 = v128.load(at);
  const q1 = v128.load(at + stride);
  const q2 = v128.load(at + 2 * stride);
  const q3 = v128.load(at + 3 * stride);
  const nearest = i8x16.max_u(difference(p1, p0), difference(q1, q0));
  const mask = v128.and(
    withinLimit(p1, p0, q0, q1, limit),
    withinInterior(p3, p2, p1, q1, q2, q3, nearest, interior),
  );
  if (!v128.any_true(mask)) return;
  const high = i8x16.gt_u(nearest, i8x16.splat(<i8>variance));
  const sp1 = flipSign(p1);
  const sp0 = flipSign(p0);
  const sq0 = flipSign(q0);
  const sq1 = flipSign(q1);
  const base = v128.and(i8x16.sub_sat_s(sp1, sq1), high);
  const value = v128.and(addSteps(base, sp0, sq0), mask);
  const off = offQ0(value);
  v128.store(above, flipSign(i8x16.add_sat_s(sp0, ontoP0(value))));
  v128.store(at, flipSign(i8x16.sub_sat_s(sq0, off)));
  const half = v128.andnot(i8x16.shr_s(i8x16.add(off, v128.load(ONES)), 1), high);
  v128.store(above - stride, flipSign(i8x16.add_sat_s(sp1, half)));
  v128.store(at + stride, flipSign(i8x16.sub_sat_s(sq1, half)));
}

/**
 * (9 × factor × value + 63) / 128 for the low and the high eight lanes.
 * @param low, high nine times the value
 */
// @inline
function weighted(low: v128, high: v128): v128 {
  const rounding = v128.load(SIXTY_THREES);
  return i8x16.narrow_i16x8_s(
    i16x8.shr_s(i16x8.add(low, rounding), 7),
    i16x8.shr_s(i16x8.add(high, rounding), 7),
  );
}

/** The normal filter between macroblocks (section 15.3, MBfilter). @param above, below addresses of p0, q0 */
export function filterMacroblockEdge(
  above: usize,
  below: usize,
  stride: usize,
  limit: i32,
  interior: i32,
  variance: i32,
): void {
  const p3 = v128.load(above - 3 * stride);
  const p2 = v128.load(above - 2 * stride);
  const p1 = v128.load(above - stride);
  const p0 = v128.load(above);
  const q0 = v128.load(below);
  const q1 = v128.load(below + stride);
  const q2 = v128.load(below + 2 * stride);
  const q3 = v128.load(below + 3 * stride);
  const nearest = i8x16.max_u(difference(p1, p0), difference(q1, q0));
  const mask = v128.and(
    withinLimit(p1, p0, q0, q1, limit),
    withinInterior(p3, p2, p1, q1, q2, q3, nearest, interior),
  );
  if (!v128.any_true(mask)) return;
  const high = i8x16.gt_u(nearest, i8x16.splat(<i8>variance));
  const sp1 = flipSign(p1);
  const sp0 = flipSign(p0);
  const sq0 = flipSign(q0);
  const sq1 = flipSign(q1);
  const value = v128.and(addSteps(i8x16.sub_sat_s(sp1, sq1), sp0, sq0), mask);

  // Where edge variance is high, only the two samples next to the edge change.
  const rough = v128.and(value, high);
  const roughP0 = i8x16.add_sat_s(sp0, ontoP0(rough));
  const roughQ0 = i8x16.sub_sat_s(sq0, offQ0(rough));

  // Elsewhere three samples on each side change, by 27, 18 and 9 parts of 128.
  const smooth = v128.andnot(value, high);
  const nines = v128.load(NINES);
  const low = i16x8.mul(i16x8.extend_low_i8x16_s(smooth), nines);
  const upper = i16x8.mul(i16x8.extend_high_i8x16_s(smooth), nines);
  const low2 = i16x8.add(low, low);
  const upper2 = i16x8.add(upper, upper);
  const by27 = weighted(i16x8.add(low2, low), i16x8.add(upper2, upper));
  const by18 = weighted(low2, upper2);
  const by9 = weighted(low, upper);
  v128.store(above - 2 * stride, flipSign(i8x16.add_sat_s(flipSign(p2), by9)));
  v128.store(above - stride, flipSign(i8x16.add_sat_s(sp1, by18)));
  v128.store(above, flipSign(i8x16.add_sat_s(roughP0, by27)));
  v128.store(below, flipSign(i8x16.sub_sat_s(roughQ0, by27)));
  v128.store(below + stride, flipSign(i8x16.sub_sat_s(sq1, by18)));
  v128.store(below + 2 * stride, flipSign(i8x16.sub_sat_s(flipSign(q2), by9)));
}
