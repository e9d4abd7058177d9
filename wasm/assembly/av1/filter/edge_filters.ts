/**
 * The deblocking filters across a horizontal edge, eight columns at a time (AV1 specification, section
 * 7.14.6). Samples are q0, q1 … from the edge down, and p0, p1 … from the edge up. At 12 bits per sample, all
 * sums fit into unsigned 16 bits.
 */

/** The strength of the filters for each of eight columns: limit, blimit and thresh of section 7.14.4. */
let limits: v128 = i16x8.splat(0);
let blimits: v128 = i16x8.splat(0);
let threshes: v128 = i16x8.splat(0);
/** All ones in the columns to be filtered. */
let lanes: v128 = i16x8.splat(0);
/** What counts as flat, 1 << (BitDepth - 8), and the largest sample. */
let flatness: v128 = i16x8.splat(0);
let largest: v128 = i16x8.splat(0);

/** @param bitDepth of the samples that are filtered from now on */
export function setEdgeDepth(bitDepth: i32): void {
  const one: i32 = 1;
  flatness = i16x8.splat(<i16>(one << (bitDepth - 8)));
  largest = i16x8.splat(<i16>((one << bitDepth) - 1));
}

/** Sets the strength, scaled to the bit depth, and the columns of the edges that are filtered next. */
export function setEdgeStrength(limit: v128, blimit: v128, thresh: v128, columns: v128): void {
  limits = limit;
  blimits = blimit;
  threshes = thresh;
  lanes = columns;
}

// @inline
function distance(a: v128, b: v128): v128 {
  return i16x8.abs(i16x8.sub(a, b));
}

// @inline
function clipSample(value: v128): v128 {
  return i16x8.max_s(i16x8.min_s(value, largest), i16x8.splat(0));
}

/** filterMask of section 7.14.6.2, of samples whose differences beside each other are at most `inner`. */
// @inline
function filterMask(inner: v128, p1: v128, p0: v128, q0: v128, q1: v128): v128 {
  const across = i16x8.add(i16x8.shl(distance(p0, q0), 1), i16x8.shr_u(distance(p1, q1), 1));
  return v128.and(v128.and(i16x8.le_s(inner, limits), i16x8.le_s(across, blimits)), lanes);
}

/** filter4_clamp of section 7.14.6.3. */
// @inline
function clampSigned(value: v128): v128 {
  const top = i16x8.shr_u(largest, 1);
  return i16x8.max_s(i16x8.min_s(value, top), v128.not(top));
}

/**
 * The narrow filter (section 7.14.6.3), stored where `mask` is set.
 * @param at of q0
 * @param steep |p1 - p0| and |q1 - q0|, the larger
 */
function narrowFilter(
  at: usize,
  stride: usize,
  p1: v128,
  p0: v128,
  q0: v128,
  q1: v128,
  steep: v128,
  mask: v128,
): void {
  const hev = i16x8.gt_s(steep, threshes);
  const step = i16x8.sub(q0, p0);
  let filter = v128.and(clampSigned(i16x8.sub(p1, q1)), hev);
  filter = clampSigned(i16x8.add(filter, i16x8.add(step, i16x8.shl(step, 1))));
  filter = v128.and(filter, mask);
  const top = i16x8.shr_u(largest, 1);
  const filter1 = i16x8.shr_s(i16x8.min_s(i16x8.add(filter, i16x8.splat(4)), top), 3);
  const filter2 = i16x8.shr_s(i16x8.min_s(i16x8.add(filter, i16x8.splat(3)), top), 3);
  v128.store(at, clipSample(i16x8.sub(q0, filter1)));
  v128.store(at - stride, clipSample(i16x8.add(p0, filter2)));
  const outer = v128.andnot(i16x8.shr_s(i16x8.add(filter1, i16x8.splat(1)), 1), hev);
  v128.store(at + stride, clipSample(i16x8.sub(q1, outer)));
  v128.store(at - (stride << 1), clipSample(i16x8.add(p1, outer)));
}

/** Stores (sum + half) >> shift where `mask` is set. */
// @inline
function storeMean(at: usize, sum: v128, half: i16, shift: i32, mask: v128): void {
  const mean = i16x8.shr_u(i16x8.add(sum, i16x8.splat(half)), shift);
  v128.store(at, v128.bitselect(mean, v128.load(at), mask));
}

/**
 * An edge beside a transform block that is 4 samples wide.
 * @param at address of q0
 * @returns whether a sample may have changed
 */
export function filterEdge4(at: usize, stride: usize): bool {
  const p1 = v128.load(at - (stride << 1));
  const p0 = v128.load(at - stride);
  const q0 = v128.load(at);
  const q1 = v128.load(at + stride);
  const steep = i16x8.max_s(distance(p1, p0), distance(q1, q0));
  const mask = filterMask(steep, p1, p0, q0, q1);
  if (!v128.any_true(mask)) return false;
  narrowFilter(at, stride, p1, p0, q0, q1, steep, mask);
  return true;
}

/** An edge of chroma between wider blocks: three samples on either side. */
export function filterEdge6(at: usize, stride: usize): bool {
  const s2 = stride << 1;
  const p2 = v128.load(at - s2 - stride);
  const p1 = v128.load(at - s2);
  const p0 = v128.load(at - stride);
  const q0 = v128.load(at);
  const q1 = v128.load(at + stride);
  const q2 = v128.load(at + s2);
  const steep = i16x8.max_s(distance(p1, p0), distance(q1, q0));
  const inner = i16x8.max_s(steep, i16x8.max_s(distance(p2, p1), distance(q2, q1)));
  const mask = filterMask(inner, p1, p0, q0, q1);
  if (!v128.any_true(mask)) return false;
  const far = i16x8.max_s(steep, i16x8.max_s(distance(p2, p0), distance(q2, q0)));
  const flat = v128.and(i16x8.le_s(far, flatness), mask);
  narrowFilter(at, stride, p1, p0, q0, q1, steep, mask);
  if (!v128.any_true(flat)) return true;
  const middle = i16x8.add(p0, q0);
  const p21 = i16x8.add(p2, p1);
  const q21 = i16x8.add(q2, q1);
  // 3 p2 + 2 p1 + 2 p0 + q0, and p2 + 2 p1 + 2 p0 + 2 q0 + q1.
  storeMean(at - s2, i16x8.add(i16x8.add(i16x8.shl(p21, 1), p2), i16x8.add(middle, p0)), 4, 3, flat);
  const nearP = i16x8.add(i16x8.add(p21, p1), i16x8.add(i16x8.shl(middle, 1), q1));
  storeMean(at - stride, nearP, 4, 3, flat);
  const nearQ = i16x8.add(i16x8.add(q21, q1), i16x8.add(i16x8.shl(middle, 1), p1));
  storeMean(at, nearQ, 4, 3, flat);
  storeMean(at + stride, i16x8.add(i16x8.add(i16x8.shl(q21, 1), q2), i16x8.add(middle, q0)), 4, 3, flat);
  return true;
}

/** An edge of luma between blocks of which one is 8 samples wide, or that is not flat far enough for more. */
export function filterEdge8(at: usize, stride: usize): bool {
  return filterWide(at, stride, false);
}

/** An edge of luma between blocks that are at least 16 samples wide. */
export function filterEdge16(at: usize, stride: usize): bool {
  return filterWide(at, stride, true);
}

// @inline
function filterWide(at: usize, stride: usize, mayBe16: bool): bool {
  const s2 = stride << 1;
  const s3 = s2 + stride;
  const s4 = stride << 2;
  const p3 = v128.load(at - s4);
  const p2 = v128.load(at - s3);
  const p1 = v128.load(at - s2);
  const p0 = v128.load(at - stride);
  const q0 = v128.load(at);
  const q1 = v128.load(at + stride);
  const q2 = v128.load(at + s2);
  const q3 = v128.load(at + s3);
  const steep = i16x8.max_s(distance(p1, p0), distance(q1, q0));
  let inner = i16x8.max_s(steep, i16x8.max_s(distance(p2, p1), distance(q2, q1)));
  inner = i16x8.max_s(inner, i16x8.max_s(distance(p3, p2), distance(q3, q2)));
  const mask = filterMask(inner, p1, p0, q0, q1);
  if (!v128.any_true(mask)) return false;
  let far = i16x8.max_s(steep, i16x8.max_s(distance(p2, p0), distance(q2, q0)));
  far = i16x8.max_s(far, i16x8.max_s(distance(p3, p0), distance(q3, q0)));
  const flat = v128.and(i16x8.le_s(far, flatness), mask);
  narrowFilter(at, stride, p1, p0, q0, q1, steep, mask);
  if (!v128.any_true(flat)) return true;
  const middle = i16x8.add(p0, q0);
  // 3 p3 + 2 p2 + p1 + p0 + q0; each next sum subtracts what leaves it and adds what enters.
  let sum = i16x8.add(i16x8.add(i16x8.shl(i16x8.add(p3, p2), 1), p3), i16x8.add(p1, middle));
  storeMean(at - s3, sum, 4, 3, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(p1, q1), i16x8.add(p3, p2)));
  storeMean(at - s2, sum, 4, 3, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(p0, q2), i16x8.add(p3, p1)));
  storeMean(at - stride, sum, 4, 3, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q0, q3), i16x8.add(p3, p0)));
  storeMean(at, sum, 4, 3, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q1, q3), i16x8.add(p2, q0)));
  storeMean(at + stride, sum, 4, 3, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q2, q3), i16x8.add(p1, q1)));
  storeMean(at + s2, sum, 4, 3, flat);
  if (mayBe16) filterFlat16(at, stride, p3, p2, p1, p0, q0, q1, q2, q3, flat);
  return true;
}

/** Where seven samples on either side are flat: the filter of 13 taps. */
function filterFlat16(
  at: usize,
  stride: usize,
  p3: v128,
  p2: v128,
  p1: v128,
  p0: v128,
  q0: v128,
  q1: v128,
  q2: v128,
  q3: v128,
  near: v128,
): void {
  const s2 = stride << 1;
  const s3 = s2 + stride;
  const s4 = stride << 2;
  const p6 = v128.load(at - s4 - s3);
  const p5 = v128.load(at - s4 - s2);
  const p4 = v128.load(at - s4 - stride);
  const q4 = v128.load(at + s4);
  const q5 = v128.load(at + s4 + stride);
  const q6 = v128.load(at + s4 + s2);
  let far = i16x8.max_s(distance(p6, p0), distance(q6, q0));
  far = i16x8.max_s(far, i16x8.max_s(distance(p5, p0), distance(q5, q0)));
  far = i16x8.max_s(far, i16x8.max_s(distance(p4, p0), distance(q4, q0)));
  const flat = v128.and(i16x8.le_s(far, flatness), near);
  if (!v128.any_true(flat)) return;
  // 7 p6 + 2 p5 + 2 p4 + p3 + p2 + p1 + p0 + q0; each next sum subtracts what leaves it and adds what enters.
  let sum = i16x8.sub(i16x8.shl(p6, 3), p6);
  sum = i16x8.add(sum, i16x8.shl(i16x8.add(p5, p4), 1));
  sum = i16x8.add(sum, i16x8.add(i16x8.add(p3, p2), i16x8.add(p1, i16x8.add(p0, q0))));
  storeMean(at - s4 - s2, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(p3, q1), i16x8.shl(p6, 1)));
  storeMean(at - s4 - stride, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(p2, q2), i16x8.add(p6, p5)));
  storeMean(at - s4, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(p1, q3), i16x8.add(p6, p4)));
  storeMean(at - s3, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(p0, q4), i16x8.add(p6, p3)));
  storeMean(at - s2, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q0, q5), i16x8.add(p6, p2)));
  storeMean(at - stride, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q1, q6), i16x8.add(p6, p1)));
  storeMean(at, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q2, q6), i16x8.add(p5, p0)));
  storeMean(at + stride, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q3, q6), i16x8.add(p4, q0)));
  storeMean(at + s2, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q4, q6), i16x8.add(p3, q1)));
  storeMean(at + s3, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q5, q6), i16x8.add(p2, q2)));
  storeMean(at + s4, sum, 8, 4, flat);
  sum = i16x8.add(sum, i16x8.sub(i16x8.shl(q6, 1), i16x8.add(p1, q3)));
  storeMean(at + s4 + stride, sum, 8, 4, flat);
}
