/** The transforms of the rows of a block (section 7.13.3), as many rows at once as a vector has lanes. */
import { identityRows } from './identity';
import { columnKind, Kind, log2Height, log2Width, rowKind, rowShift, transform } from './kinds';
import { clamp, scale } from './lanes';
import { storeColumns4, storeColumns8 } from './transpose';

/** Longest row that is coded; rows beyond as many are zero. */
const CODED: i32 = 32;
/** √½ in 12 fractional bits: blocks with sides in the ratio of 2 to 1 are scaled by it. */
const ROOT_HALF: i32 = 2896;

/** One vector for each value of a row: what goes into a transform and what comes out of it. */
const inputs: usize = memory.data(32 * 16, 16);
export const outputs: usize = memory.data(64 * 16, 16);
/** The transformed rows, 32 of up to 64 values of 32 bits. */
export const transformed: usize = memory.data(32 * 64 * 4, 16);

/** Bytes of a row of `transformed`: of whole vectors. */
// @inline
export function transformedStride<L>(log2W: i32): usize {
  const bytes = (<usize>sizeof<L>()) << log2W;
  return max(bytes, 16);
}

/**
 * Transforms all rows that have coefficients, and writes them to `transformed`, reversed where the type says
 * so; those after them that the columns' transform reads are zero. Clears the coefficients.
 * @param most highest value between the stages of a row (rowClampRange), in all lanes
 * @param mostBetween highest value between rows and columns (colClampRange)
 */
export function transformRows<L>(
  coefficients: usize,
  txSize: i32,
  txType: i32,
  lastRow: i32,
  lastColumn: i32,
  most: v128,
  mostBetween: v128,
): void {
  const lanes: i32 = 16 / <i32>sizeof<L>();
  const log2W = log2Width(txSize);
  const log2H = log2Height(txSize);
  const kind = rowKind(txType);
  const shift = rowShift(txSize);
  const coded = min(1 << log2W, CODED);
  const isScaled = abs(log2W - log2H) === 1;
  const stride = transformedStride<L>(log2W);
  const count = lastColumn + 1;
  const read = readOf(kind, log2W, count);
  let to = transformed;
  for (let row = 0; row <= lastRow; row += lanes) {
    const from = coefficients + ((<usize>(row * coded)) << 2);
    gather<L>(from, (<usize>coded) << 2, min(lastRow + 1 - row, lanes), count, coded, isScaled, read);
    if (kind === Kind.Identity) identityRows<L>(inputs, outputs, log2W, shift, mostBetween);
    else {
      transform<L>(kind, log2W, inputs, 16, outputs, count, most);
      round<L>(1 << log2W, shift, mostBetween);
    }
    scatter<L>(to, stride, 1 << log2W, kind === Kind.FlipAdst);
    to += stride * lanes;
  }
  clear(to, transformed + stride * readOf(columnKind(txType), log2H, lastRow + 1));
}

/** How many values a transform reads if `count` may be non-zero: see dct.ts. */
// @inline
function readOf(kind: Kind, log2: i32, count: i32): i32 {
  const half = (1 << log2) >> 1;
  return kind === Kind.Dct && count <= half ? half : min(half << 1, CODED);
}

/** Sets whole vectors to zero: far quicker than memory.fill for so few. */
// @inline
function clear(from: usize, end: usize): void {
  for (; from < end; from += 16) v128.store(from, i32x4.splat(0));
}

/**
 * Loads `rows` rows of `count` coefficients (rounded up to whole vectors), one row per lane, into `inputs`,
 * fills up with zeros to the `read` inputs that the transform reads, and clears the coefficients.
 */
// @inline
function gather<L>(
  from: usize,
  stride: usize,
  rows: i32,
  count: i32,
  coded: i32,
  isScaled: bool,
  read: i32,
): void {
  const lanes: i32 = 16 / <i32>sizeof<L>();
  let to = inputs;
  for (let column = 0; column < count; column += lanes) {
    if (sizeof<L>() === 2) {
      const isWhole = coded > 4;
      storeColumns8(
        to,
        16,
        taken8(from, isWhole),
        rows > 1 ? taken8(from + stride, isWhole) : i16x8.splat(0),
        rows > 2 ? taken8(from + stride * 2, isWhole) : i16x8.splat(0),
        rows > 3 ? taken8(from + stride * 3, isWhole) : i16x8.splat(0),
        rows > 4 ? taken8(from + stride * 4, isWhole) : i16x8.splat(0),
        rows > 5 ? taken8(from + stride * 5, isWhole) : i16x8.splat(0),
        rows > 6 ? taken8(from + stride * 6, isWhole) : i16x8.splat(0),
        rows > 7 ? taken8(from + stride * 7, isWhole) : i16x8.splat(0),
      );
      from += 32;
    } else {
      storeColumns4(
        to,
        16,
        taken4(from),
        rows > 1 ? taken4(from + stride) : i32x4.splat(0),
        rows > 2 ? taken4(from + stride * 2) : i32x4.splat(0),
        rows > 3 ? taken4(from + stride * 3) : i32x4.splat(0),
      );
      from += 16;
    }
    to += (<usize>lanes) << 4;
  }
  if (isScaled) {
    for (let at = inputs; at < to; at += 16) v128.store(at, scale<L>(v128.load(at), ROOT_HALF));
  }
  clear(to, inputs + ((<usize>read) << 4));
}

/** Eight coefficients, or the four of a narrow block, as i16, and clears them. */
// @inline
function taken8(at: usize, isWhole: bool): v128 {
  const low = taken4(at);
  return i16x8.narrow_i32x4_s(low, isWhole ? taken4(at + 16) : low);
}

// @inline
function taken4(at: usize): v128 {
  const values = v128.load(at);
  v128.store(at, i32x4.splat(0));
  return values;
}

/** Round2 by `shift` and the clamp between rows and columns, of `outputs`. */
// @inline
function round<L>(count: i32, shift: i32, most: v128): void {
  const end = outputs + ((<usize>count) << 4);
  if (sizeof<L>() === 2) {
    if (shift === 0) return;
    const half: i32 = 1 << (15 - shift);
    const factor = i16x8.splat(<i16>half);
    for (let at = outputs; at < end; at += 16) v128.store(at, i16x8.q15mulr_sat_s(v128.load(at), factor));
  } else {
    const half = i32x4.splat((1 << shift) >> 1);
    for (let at = outputs; at < end; at += 16) {
      v128.store(at, clamp(i32x4.shr_s(i32x4.add(v128.load(at), half), shift), most));
    }
  }
}

/** Writes `outputs` as rows of `width` values, reversed or not. */
// @inline
function scatter<L>(to: usize, stride: usize, width: i32, isReversed: bool): void {
  const lanes: i32 = 16 / <i32>sizeof<L>();
  // Eight columns are written even for narrow blocks: the same four again.
  const mask = (<usize>(width - 1)) << 4;
  let at: usize = isReversed ? mask : 0;
  const step: usize = isReversed ? -16 : 16;
  for (let column = 0; column < width; column += lanes) {
    if (sizeof<L>() === 2) {
      storeColumns8(
        to,
        stride,
        v128.load(outputs + at),
        v128.load(outputs + ((at + step) & mask)),
        v128.load(outputs + ((at + step * 2) & mask)),
        v128.load(outputs + ((at + step * 3) & mask)),
        v128.load(outputs + ((at + step * 4) & mask)),
        v128.load(outputs + ((at + step * 5) & mask)),
        v128.load(outputs + ((at + step * 6) & mask)),
        v128.load(outputs + ((at + step * 7) & mask)),
      );
    } else {
      storeColumns4(
        to,
        stride,
        v128.load(outputs + at),
        v128.load(outputs + at + step),
        v128.load(outputs + at + step * 2),
        v128.load(outputs + at + step * 3),
      );
    }
    at += step * lanes;
    to += 16;
  }
}
