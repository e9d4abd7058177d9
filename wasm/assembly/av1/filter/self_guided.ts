/**
 * The self-guided filter of loop restoration (AV1 specification, sections 7.17.2 and 7.17.3), row by row: of
 * the box sums, only the rows around the one being restored are kept.
 */

import { B_OFFSET, BOX_ROW_BYTES, boxRow } from './box_sums';
import { PART_STRIDE, part } from './restore_copy';

/** Sgr_Params: radius and eps of both passes for each set. */
const PARAMS = memory.data<u8>([
  2, 12, 1, 4, 2, 15, 1, 6, 2, 18, 1, 8, 2, 21, 1, 9, 2, 24, 1, 10, 2, 29, 1, 11, 2, 36, 1, 12, 2, 45, 1, 13,
  2, 56, 1, 14, 2, 68, 1, 15, 0, 0, 1, 5, 0, 0, 1, 8, 0, 0, 1, 11, 0, 0, 1, 14, 2, 30, 0, 0, 2, 75, 0, 0,
]);
/** SGRPROJ_SGR_BITS, SGRPROJ_RST_BITS and SGRPROJ_PRJ_BITS. */
const SGR_BITS = 8;
const RST_BITS = 4;
const PRJ_BITS = 7;

/** Rows of A and B (section 7.17.3): two of boxes of radius 2, three of radius 1. */
const boxes: usize = memory.data(3232, 16);
const wideRows: usize = boxes + 16;
const narrowRows: usize = wideRows + 2 * BOX_ROW_BYTES;

/**
 * Restores a part.
 * @param to, stride where the samples go, `columns` to the next multiple of 4
 * @param unit three i8: the set, and both weights
 */
export function selfGuidedFilter(
  to: usize,
  stride: usize,
  columns: i32,
  rows: i32,
  unit: usize,
  bitDepth: i32,
): void {
  const params = PARAMS + ((<usize>(load<u8>(unit) & 15)) << 2);
  const hasWide = load<u8>(params) !== 0;
  const hasNarrow = load<u8>(params + 2) !== 0;
  const wideEps = load<u8>(params + 1);
  const narrowEps = load<u8>(params + 3);
  const w0: i32 = load<i8>(unit + 1);
  const w1: i32 = load<i8>(unit + 2);
  const w2: i32 = (1 << PRJ_BITS) - w0 - w1;
  // The weight of a pass that is left out goes to the sample itself.
  const own = i32x4.splat((w1 + (hasWide ? 0 : w0) + (hasNarrow ? 0 : w2)) << RST_BITS);
  const wideWeight = i32x4.splat(w0);
  const narrowWeight = i32x4.splat(w2);
  const one: i32 = 1;
  const largest = i32x4.splat((one << bitDepth) - 1);
  const half = i32x4.splat(1 << (RST_BITS + PRJ_BITS - 1));
  let wideAbove = wideRows;
  let wideBelow = wideRows + BOX_ROW_BYTES;
  let above = narrowRows;
  let middle = narrowRows + BOX_ROW_BYTES;
  let below = narrowRows + 2 * BOX_ROW_BYTES;
  if (hasWide) boxRow(wideBelow, -1, columns, 2, wideEps, bitDepth);
  if (hasNarrow) {
    boxRow(middle, -1, columns, 1, narrowEps, bitDepth);
    boxRow(below, 0, columns, 1, narrowEps, bitDepth);
  }
  for (let row = 0; row < rows; row++) {
    const isEven = (row & 1) === 0;
    if (hasWide && isEven) {
      const next = wideAbove;
      wideAbove = wideBelow;
      wideBelow = next;
      boxRow(wideBelow, row + 1, columns, 2, wideEps, bitDepth);
    }
    if (hasNarrow) {
      const next = above;
      above = middle;
      middle = below;
      below = next;
      boxRow(below, row + 1, columns, 1, narrowEps, bitDepth);
    }
    const from = part + <usize>row * PART_STRIDE;
    for (let x = 0; x < columns; x += 4) {
      const sample = v128.load_ext<u16>(from + ((<usize>x) << 1));
      const at = (<usize>x) << 2;
      let sum = i32x4.mul(sample, own);
      if (hasWide) {
        const wide = isEven
          ? evenRow(wideAbove + at, wideBelow + at, sample)
          : oddRow(wideBelow + at, sample);
        sum = i32x4.add(sum, i32x4.mul(wide, wideWeight));
      }
      if (hasNarrow) {
        const narrow = fullRow(above + at, middle + at, below + at, sample);
        sum = i32x4.add(sum, i32x4.mul(narrow, narrowWeight));
      }
      sum = i32x4.shr_s(i32x4.add(sum, half), RST_BITS + PRJ_BITS);
      sum = i32x4.max_s(i32x4.min_s(sum, largest), i32x4.splat(0));
      v128.store64_lane(to + ((<usize>x) << 1), i16x8.narrow_i32x4_s(sum, sum), 0);
    }
    to += stride;
  }
}

/** Round2( a * sample + b, shift ) */
// @inline
function guided(a: v128, b: v128, sample: v128, shift: i32): v128 {
  const value = i32x4.add(i32x4.mul(a, sample), b);
  return i32x4.shr_s(i32x4.add(value, i32x4.splat(1 << (shift - 1))), shift);
}

/** Six times the middle plus five times both sides. */
// @inline
function sixFive(at: usize): v128 {
  const middle = v128.load(at);
  const all = i32x4.add(i32x4.add(v128.load(at - 4), v128.load(at + 4)), middle);
  return i32x4.add(i32x4.add(i32x4.shl(all, 2), all), middle);
}

/** For boxes of radius 2, an even row: it lies between two rows of sums. */
// @inline
function evenRow(above: usize, below: usize, sample: v128): v128 {
  const a = i32x4.add(sixFive(above), sixFive(below));
  const b = i32x4.add(sixFive(above + B_OFFSET), sixFive(below + B_OFFSET));
  return guided(a, b, sample, SGR_BITS + 5 - RST_BITS);
}

/** For boxes of radius 2, an odd row: it lies on a row of sums. */
// @inline
function oddRow(at: usize, sample: v128): v128 {
  return guided(sixFive(at), sixFive(at + B_OFFSET), sample, SGR_BITS + 4 - RST_BITS);
}

/** For three rows: four times the middle and its neighbours, plus three times the corners. */
// @inline
function fourThree(above: usize, middle: usize, below: usize): v128 {
  const corners = i32x4.add(
    i32x4.add(v128.load(above - 4), v128.load(above + 4)),
    i32x4.add(v128.load(below - 4), v128.load(below + 4)),
  );
  let cross = i32x4.add(v128.load(above), v128.load(below));
  cross = i32x4.add(cross, i32x4.add(v128.load(middle - 4), v128.load(middle + 4)));
  cross = i32x4.add(cross, v128.load(middle));
  return i32x4.sub(i32x4.shl(i32x4.add(corners, cross), 2), corners);
}

// @inline
function fullRow(above: usize, middle: usize, below: usize, sample: v128): v128 {
  const a = fourThree(above, middle, below);
  const b = fourThree(above + B_OFFSET, middle + B_OFFSET, below + B_OFFSET);
  return guided(a, b, sample, SGR_BITS + 5 - RST_BITS);
}
