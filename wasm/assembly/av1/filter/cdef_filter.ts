/**
 * CDEF's filter for one block (AV1 specification, section 7.15.3), eight samples at a time: a row of eight,
 * or two rows of four. Samples come from a copy, in which unavailable ones are UNAVAILABLE.
 */

/**
 * Far from every sample, so that its difference does not count. As a signed number it is never the maximum,
 * as an unsigned one never the minimum.
 */
export const UNAVAILABLE: i16 = -32768;
/** Bytes from row to row of the copy. */
export const COPY_STRIDE: usize = 160;

/** Cdef_Directions: offsets in the copy, in bytes, of the first and the second sample of each direction. */
const OFFSETS = memory.data<i16>([-158, -316, 2, -156, 2, 4, 2, 164, 162, 324, 160, 322, 160, 320, 160, 318]);

/** For the block being filtered: offsets of the secondary taps, strengths and their dampings. */
let leftNear: usize = 0;
let leftFar: usize = 0;
let rightNear: usize = 0;
let rightFar: usize = 0;
let primaryStrength: v128 = i16x8.splat(0);
let secondaryStrength: v128 = i16x8.splat(0);
let primaryShift: i32 = 0;
let secondaryShift: i32 = 0;

// @inline
function loadSamples(at: usize, isWide: bool): v128 {
  if (isWide) return v128.load(at);
  return v128.load64_lane(at + COPY_STRIDE, v128.load64_zero(at), 1);
}

/** constrain(sample - x). */
// @inline
function constrained(sample: v128, x: v128, strength: v128, shift: i32): v128 {
  const difference = i16x8.sub(sample, x);
  const limit = i16x8.sub_sat_u(strength, i16x8.shr_u(i16x8.abs(difference), shift));
  return i16x8.max_s(i16x8.min_s(difference, limit), i16x8.neg(limit));
}

// @inline
function pairSum(a: v128, b: v128, x: v128, strength: v128, shift: i32): v128 {
  return i16x8.add(constrained(a, x, strength, shift), constrained(b, x, strength, shift));
}

// @inline
function largestOf(a: v128, b: v128, largest: v128): v128 {
  return i16x8.max_s(i16x8.max_s(a, b), largest);
}

// @inline
function smallestOf(a: v128, b: v128, smallest: v128): v128 {
  return i16x8.min_u(i16x8.min_u(a, b), smallest);
}

/** x + ((8 + sum - (sum < 0)) >> 4) */
// @inline
function moved(x: v128, sum: v128): v128 {
  const rounded = i16x8.add(i16x8.add(sum, i16x8.shr_s(sum, 15)), i16x8.splat(8));
  return i16x8.add(x, i16x8.shr_s(rounded, 4));
}

/**
 * Filters rows of eight samples, or pairs of rows of four. A sample can only leave the range of its
 * surroundings if both kinds of taps are used, since only then do they weigh more than one in all.
 * @param near, far offsets of the primary taps
 */
// @inline
function filterRows(
  to: usize,
  stride: usize,
  from: usize,
  rows: i32,
  near: usize,
  far: usize,
  isOdd: bool,
  hasPrimary: bool,
  hasSecondary: bool,
  isWide: bool,
): void {
  // Locals are kept in registers.
  const strength = primaryStrength;
  const shift = primaryShift;
  const strength2 = secondaryStrength;
  const shift2 = secondaryShift;
  const left = leftNear;
  const left2 = leftFar;
  const right = rightNear;
  const right2 = rightFar;
  const isBoth = hasPrimary && hasSecondary;
  for (let row = 0; row < rows; row += isWide ? 1 : 2) {
    const x = loadSamples(from, isWide);
    let most = x;
    let least = x;
    let sum = i16x8.splat(0);
    if (hasSecondary) {
      let a = loadSamples(from + left, isWide);
      let b = loadSamples(from - left, isWide);
      sum = pairSum(a, b, x, strength2, shift2);
      if (isBoth) {
        most = largestOf(a, b, most);
        least = smallestOf(a, b, least);
      }
      a = loadSamples(from + right, isWide);
      b = loadSamples(from - right, isWide);
      sum = i16x8.shl(i16x8.add(sum, pairSum(a, b, x, strength2, shift2)), 1);
      if (isBoth) {
        most = largestOf(a, b, most);
        least = smallestOf(a, b, least);
      }
      a = loadSamples(from + left2, isWide);
      b = loadSamples(from - left2, isWide);
      sum = i16x8.add(sum, pairSum(a, b, x, strength2, shift2));
      if (isBoth) {
        most = largestOf(a, b, most);
        least = smallestOf(a, b, least);
      }
      a = loadSamples(from + right2, isWide);
      b = loadSamples(from - right2, isWide);
      sum = i16x8.add(sum, pairSum(a, b, x, strength2, shift2));
      if (isBoth) {
        most = largestOf(a, b, most);
        least = smallestOf(a, b, least);
      }
    }
    if (hasPrimary) {
      let a = loadSamples(from + near, isWide);
      let b = loadSamples(from - near, isWide);
      const nearSum = pairSum(a, b, x, strength, shift);
      if (isBoth) {
        most = largestOf(a, b, most);
        least = smallestOf(a, b, least);
      }
      a = loadSamples(from + far, isWide);
      b = loadSamples(from - far, isWide);
      const farSum = pairSum(a, b, x, strength, shift);
      if (isBoth) {
        most = largestOf(a, b, most);
        least = smallestOf(a, b, least);
      }
      // Cdef_Pri_Taps: 3 and 3, or 4 and 2.
      const all = i16x8.add(nearSum, farSum);
      sum = i16x8.add(sum, i16x8.shl(all, 1));
      sum = i16x8.add(sum, isOdd ? all : i16x8.shl(nearSum, 1));
    }
    let value = moved(x, sum);
    if (isBoth) value = i16x8.max_s(i16x8.min_s(value, most), least);
    if (isWide) {
      v128.store(to, value);
      to += stride;
      from += COPY_STRIDE;
    } else {
      v128.store64_lane(to, value, 0);
      v128.store64_lane(to + stride, value, 1);
      to += stride << 1;
      from += COPY_STRIDE << 1;
    }
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
  const isOdd = ((primary >> (bitDepth - 8)) & 1) !== 0;
  if (primary !== 0) {
    primaryStrength = i16x8.splat(<i16>primary);
    primaryShift = shiftFor(primary, damping);
  }
  if (secondary !== 0) {
    secondaryStrength = i16x8.splat(<i16>secondary);
    secondaryShift = shiftFor(secondary, damping);
  }
  const near = offsetAt(direction, 0);
  const far = offsetAt(direction, 1);
  leftNear = offsetAt(direction - 2, 0);
  leftFar = offsetAt(direction - 2, 1);
  rightNear = offsetAt(direction + 2, 0);
  rightFar = offsetAt(direction + 2, 1);
  if (isWide) {
    if (secondary === 0) filterRows(to, stride, from, rows, near, far, isOdd, true, false, true);
    else if (primary === 0) filterRows(to, stride, from, rows, near, far, isOdd, false, true, true);
    else filterRows(to, stride, from, rows, near, far, isOdd, true, true, true);
    return;
  }
  if (secondary === 0) filterRows(to, stride, from, rows, near, far, isOdd, true, false, false);
  else if (primary === 0) filterRows(to, stride, from, rows, near, far, isOdd, false, true, false);
  else filterRows(to, stride, from, rows, near, far, isOdd, true, true, false);
}
