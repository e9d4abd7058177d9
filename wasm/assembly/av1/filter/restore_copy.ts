/**
 * A copy of the part of a stripe that loop restoration works on, with the surroundings that it may read (AV1
 * specification, section 7.17.6): three rows and three columns on each side.
 */

import { CONTEXT_ROWS } from './state';

/** Columns that are restored at once, and bytes from row to row of the copy. */
export const PART_COLUMNS = 64;
export const PART_STRIDE: usize = 160;
/** Rows above and below, and columns on either side, that filters read. */
export const REACH = 3;
const BEFORE: usize = 16;
const copy: usize = memory.data(11264, 16);
/** The first sample that is restored. */
export const part: usize = copy + <usize>REACH * PART_STRIDE + BEFORE;
/** Four samples of each row, left of the next part. */
const leftColumns: usize = memory.data(560, 16);

/** A stripe's rows, and the rows above and below it. */
@unmanaged
export class StripeRows {
  /** First sample of the stripe's first row, bytes from row to row, rows, samples of a row. */
  rows: usize;
  stride: usize;
  count: i32;
  width: i32;
  /** Two deblocked rows above, 0 at the picture's upper edge: then the first row is repeated. */
  above: usize;
  /** Deblocked rows below, `belowCount` of them: 0 at the picture's lower edge, 2 at most. */
  below: usize;
  belowCount: i32;
}

/**
 * Copies columns `x` to `x + columns` of a stripe.
 * @param wasCopied whether the part on the left was restored, so that its copy has the original samples
 */
export function copyPart(stripe: StripeRows, x: i32, columns: i32, wasCopied: bool): void {
  const right = stripe.width - x - columns;
  const bytes = (<usize>x) << 1;
  if (wasCopied) keepLeft(stripe.count);
  const stride = stripe.stride;
  let from = stripe.rows + bytes;
  let to = part;
  for (let row = 0; row < stripe.count; row++) {
    copyRow(to, from, columns, x === 0, right);
    to += PART_STRIDE;
    from += stride;
  }
  if (wasCopied) putLeft(stripe.count);
  for (let row = 0; row < REACH; row++) {
    if (stripe.belowCount > 0) {
      const below = <usize>min(row, stripe.belowCount - 1);
      copyRow(to, stripe.below + below * stride + bytes, columns, x === 0, right);
    } else repeatRow(to, part + <usize>(stripe.count - 1) * PART_STRIDE);
    to += PART_STRIDE;
    const above = part - <usize>(row + 1) * PART_STRIDE;
    if (stripe.above !== 0) {
      const line = CONTEXT_ROWS - 1 - <usize>min(row, 1);
      copyRow(above, stripe.above + line * stride + bytes, columns, x === 0, right);
    } else repeatRow(above, part);
  }
}

/** Keeps the last samples of the copy, before the next part replaces it. */
let leftOffset: usize = 0;
export function leavePart(columns: i32): void {
  leftOffset = <usize>(columns << 1) - 8;
}

function keepLeft(rows: i32): void {
  for (let row: usize = 0; row < <usize>rows; row++) {
    store<u64>(leftColumns + (row << 3), load<u64>(part + row * PART_STRIDE + leftOffset));
  }
}

function putLeft(rows: i32): void {
  for (let row: usize = 0; row < <usize>rows; row++) {
    store<u64>(part + row * PART_STRIDE - 8, load<u64>(leftColumns + (row << 3)));
  }
}

/**
 * Copies a row with three samples on either side; beyond the picture's edges, the outermost one is repeated.
 * @param right number of samples that exist after the row
 */
// @inline
function copyRow(to: usize, from: usize, columns: i32, isFirst: bool, right: i32): void {
  const bytes = (<usize>columns) << 1;
  if (isFirst) v128.store(to - 16, i16x8.splat(load<i16>(from)));
  else store<u64>(to - 8, load<u64>(from - 8));
  for (let i: usize = 0; i <= bytes; i += 16) v128.store(to + i, v128.load(from + i));
  if (right >= REACH) store<u64>(to + bytes, load<u64>(from + bytes));
  else {
    const end = bytes + ((<usize>right) << 1);
    store<u64>(to + end, <u64>load<u16>(from + end - 2) * 0x0001000100010001);
  }
}

function repeatRow(to: usize, from: usize): void {
  memory.copy(to - BEFORE, from - BEFORE, PART_STRIDE);
}
