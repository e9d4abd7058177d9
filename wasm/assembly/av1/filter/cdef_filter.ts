/**
 * CDEF's filter of one block (AV1 specification, section 7.15.3), eight samples at a time: a row of eight, or
 * two rows of four. Samples come from a copy in which those that are not available are UNAVAILABLE.
 */

/**
 * Far from every sample: no difference to it counts, as a signed number it is no maximum, and as an unsigned
 * one no minimum.
 */
export const UNAVAILABLE: i16 = -32768;
/** Bytes from row to row of the copy. */
export const COPY_STRIDE: usize = 160;

/** Cdef_Directions: offsets in the copy, in bytes, of the first and the second sample of each direction. */
const OFFSETS = memory.data<i16>([-158, -316, 2, -156, 2, 4, 2, 164, 162, 324, 160, 322, 160, 320, 160, 318]);

/** Of the block that is filtered: offsets, and the strengths as vectors. */
let primaryNear: usize = 0;
let primaryFar: usize = 0;
let leftNear: usize = 0;
let leftFar: usize = 0;
let rightNear: usize = 0;
let rightFar: usize = 0;
let primaryStrength: v128 = i16x8.splat(0);
let secondaryStrength: v128 = i16x8.splat(0);
let primaryShift: i32 = 0;
let secondaryShift: i32 = 0;
/** Cdef_Pri_Taps. */
let nearTap: v128 = i16x8.splat(0);
let farTap: v128 = i16x8.splat(0);

// @inline
function loadSamples(at: usize, isWide: bool): v128 {
  if (isWide) return v128.load(at);
  return v128.load64_lane(at + COPY_STRIDE, v128.load64_zero(at), 1);
}

/** constrain(sample - x). */
// @inline
function constrained(sample: v128, x: v128, strength: v128, shift: i32): v128 {
  const difference = i16x8.sub(sample, x);
  const size = i16x8.abs(difference);
  const limit = i16x8.sub_sat_u(strength, i16x8.shr_u(size, shift));
  const sign = i16x8.shr_s(difference, 15);
  return i16x8.sub(v128.xor(i16x8.min_u(size, limit), sign), sign);
}

// @inline
function primarySum(from: usize, x: v128, isWide: bool): v128 {
  const near = i16x8.add(
    constrained(loadSamples(from + primaryNear, isWide), x, primaryStrength, primaryShift),
    constrained(loadSamples(from - primaryNear, isWide), x, primaryStrength, primaryShift),
  );
  const far = i16x8.add(
    constrained(loadSamples(from + primaryFar, isWide), x, primaryStrength, primaryShift),
    constrained(loadSamples(from - primaryFar, isWide), x, primaryStrength, primaryShift),
  );
  return i16x8.add(i16x8.mul(near, nearTap), i16x8.mul(far, farTap));
}

// @inline
function secondaryPair(from: usize, offset: usize, x: v128, isWide: bool): v128 {
  return i16x8.add(
    constrained(loadSamples(from + offset, isWide), x, secondaryStrength, secondaryShift),
    constrained(loadSamples(from - offset, isWide), x, secondaryStrength, secondaryShift),
  );
}

// @inline
function secondarySum(from: usize, x: v128, isWide: bool): v128 {
  const near = i16x8.add(secondaryPair(from, leftNear, x, isWide), secondaryPair(from, rightNear, x, isWide));
  const far = i16x8.add(secondaryPair(from, leftFar, x, isWide), secondaryPair(from, rightFar, x, isWide));
  return i16x8.add(i16x8.shl(near, 1), far);
}

/** x + ((8 + sum - (sum < 0)) >> 4) */
// @inline
function moved(x: v128, sum: v128): v128 {
  const rounded = i16x8.add(i16x8.add(sum, i16x8.shr_s(sum, 15)), i16x8.splat(8));
  return i16x8.add(x, i16x8.shr_s(rounded, 4));
}

// @inline
function largestAround(from: usize, offset: usize, largest: v128, isWide: bool): v128 {
  return i16x8.max_s(
    i16x8.max_s(largest, loadSamples(from + offset, isWide)),
    loadSamples(from - offset, isWide),
  );
}

// @inline
function smallestAround(from: usize, offset: usize, smallest: v128, isWide: bool): v128 {
  return i16x8.min_u(
    i16x8.min_u(smallest, loadSamples(from + offset, isWide)),
    loadSamples(from - offset, isWide),
  );
}

/**
 * Both kinds of taps together weigh more than one, so only then can a sample leave the range of those around
 * it.
 */
// @inline
function clippedToAround(from: usize, x: v128, value: v128, isWide: bool): v128 {
  let largest = largestAround(from, primaryNear, x, isWide);
  largest = largestAround(from, primaryFar, largest, isWide);
  largest = largestAround(from, leftNear, largest, isWide);
  largest = largestAround(from, leftFar, largest, isWide);
  largest = largestAround(from, rightNear, largest, isWide);
  largest = largestAround(from, rightFar, largest, isWide);
  let smallest = smallestAround(from, primaryNear, x, isWide);
  smallest = smallestAround(from, primaryFar, smallest, isWide);
  smallest = smallestAround(from, leftNear, smallest, isWide);
  smallest = smallestAround(from, leftFar, smallest, isWide);
  smallest = smallestAround(from, rightNear, smallest, isWide);
  smallest = smallestAround(from, rightFar, smallest, isWide);
  return i16x8.max_s(i16x8.min_s(value, largest), smallest);
}

// @inline
function filterSamples(from: usize, hasPrimary: bool, hasSecondary: bool, isWide: bool): v128 {
  const x = loadSamples(from, isWide);
  let sum = i16x8.splat(0);
  if (hasPrimary) sum = primarySum(from, x, isWide);
  if (hasSecondary) sum = i16x8.add(sum, secondarySum(from, x, isWide));
  const value = moved(x, sum);
  return hasPrimary && hasSecondary ? clippedToAround(from, x, value, isWide) : value;
}

/** Rows of eight samples. */
// @inline
function filterWide(
  to: usize,
  stride: usize,
  from: usize,
  rows: i32,
  hasPrimary: bool,
  hasSecondary: bool,
): void {
  for (let row = 0; row < rows; row++) {
    v128.store(to, filterSamples(from, hasPrimary, hasSecondary, true));
    to += stride;
    from += COPY_STRIDE;
  }
}

/** Rows of four samples, two by two. */
// @inline
function filterNarrow(
  to: usize,
  stride: usize,
  from: usize,
  rows: i32,
  hasPrimary: bool,
  hasSecondary: bool,
): void {
  for (let row = 0; row < rows; row += 2) {
    const value = filterSamples(from, hasPrimary, hasSecondary, false);
    v128.store64_lane(to, value, 0);
    v128.store64_lane(to + stride, value, 1);
    to += stride << 1;
    from += COPY_STRIDE << 1;
  }
}

/** Max( 0, damping - FloorLog2( threshold ) ) */
// @inline
function shiftFor(threshold: i32, damping: i32): i32 {
  return max(0, damping - (31 - clz(threshold)));
}

// @inline
function offsetAt(direction: i32, step: i32): usize {
  return <usize>(<i32>load<i16>(OFFSETS + <usize>((((direction & 7) << 1) + step) << 1)));
}

/**
 * Filters a block.
 * @param to, stride where the samples go
 * @param from where the block begins in the copy; two rows and two columns around it are read
 * @param isWide eight samples a row, else four
 * @param rows 4 or 8
 * @param primary, secondary strengths, scaled to the bit depth; not both 0
 */
export function filterBlock(
  to: usize,
  stride: usize,
  from: usize,
  isWide: bool,
  rows: i32,
  primary: i32,
  secondary: i32,
  damping: i32,
  direction: i32,
  bitDepth: i32,
): void {
  if (primary !== 0) {
    const isOdd = (primary >> (bitDepth - 8)) & 1;
    nearTap = i16x8.splat(isOdd ? 3 : 4);
    farTap = i16x8.splat(isOdd ? 3 : 2);
    primaryStrength = i16x8.splat(<i16>primary);
    primaryShift = shiftFor(primary, damping);
  }
  if (secondary !== 0) {
    secondaryStrength = i16x8.splat(<i16>secondary);
    secondaryShift = shiftFor(secondary, damping);
  }
  primaryNear = offsetAt(direction, 0);
  primaryFar = offsetAt(direction, 1);
  leftNear = offsetAt(direction - 2, 0);
  leftFar = offsetAt(direction - 2, 1);
  rightNear = offsetAt(direction + 2, 0);
  rightFar = offsetAt(direction + 2, 1);
  if (isWide) {
    if (secondary === 0) filterWide(to, stride, from, rows, true, false);
    else if (primary === 0) filterWide(to, stride, from, rows, false, true);
    else filterWide(to, stride, from, rows, true, true);
    return;
  }
  if (secondary === 0) filterNarrow(to, stride, from, rows, true, false);
  else if (primary === 0) filterNarrow(to, stride, from, rows, false, true);
  else filterNarrow(to, stride, from, rows, true, true);
}
