/**
 * The steps after deblocking: CDEF, superres and loop restoration, by the stripes of loop restoration (AV1
 * specification, section 7.17). A stripe is restored right after its CDEF, while the rows below it are only
 * deblocked, as loop restoration needs them.
 */

import { Frame, planeAt, quadAt, Restoration } from '../frame';
import { deringBlocks } from './cdef';
import { restoreStripe } from './restore';
import { CONTEXT_ROWS, copyRows, FilterState, filterPlaneAt, LAG_ROWS, STRIPE_ROWS } from './state';
import { upscaleRows } from './superres';

/** Columns beside the wanted ones that loop restoration reads, including the part of 64 that it works on. */
const RESTORATION_REACH = 64 + 4;

/**
 * Filters the window's rows from its first one on.
 * @param end luma row, a multiple of 8; two rows below it are deblocked, if there are any
 */
export function filterStripes(frame: Frame, state: FilterState, end: i32): void {
  let y = max(0, state.top);
  while (y < end) {
    const stripeEnd = min(end, ((y + LAG_ROWS) & -STRIPE_ROWS) + STRIPE_ROWS - LAG_ROWS);
    if (state.restores) keepBeside(frame, state, stripeEnd);
    if (state.deringes) for (let row = y; row < stripeEnd; row += 8) deringBlocks(frame, state, row);
    for (let index = 0; index < frame.planeCount; index++) finishStripe(frame, state, index, y, stripeEnd);
    y = stripeEnd;
  }
}

/** Keeps the deblocked rows above the next stripe, and below this one where they must be upscaled. */
function keepBeside(frame: Frame, state: FilterState, stripeEnd: i32): void {
  for (let index = 0; index < frame.planeCount; index++) {
    const plane = planeAt(frame, index);
    const own = filterPlaneAt(state, index);
    const end = stripeEnd >> plane.subY;
    if (end >= plane.height) continue;
    const below = own.rows + own.stride * <usize>(end - (state.top >> plane.subY));
    const above = below - CONTEXT_ROWS * own.stride;
    const rows = <i32>CONTEXT_ROWS;
    if (state.upscales) {
      upscale(frame, state, index, own.stripeNext, above, rows);
      upscale(frame, state, index, own.stripeBelow, below, min(rows, plane.height - end));
    } else copyRows(own.stripeNext, above, CONTEXT_ROWS * own.stride);
  }
}

/** @param from, stripeEnd luma rows, multiples of 8 */
function finishStripe(frame: Frame, state: FilterState, index: i32, from: i32, stripeEnd: i32): void {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  const first = from >> plane.subY;
  const end = min(plane.height, stripeEnd >> plane.subY);
  const row = first - (state.top >> plane.subY);
  if (end <= first) return;
  if (state.upscales) {
    const to = own.output + own.outputStride * <usize>row;
    upscale(frame, state, index, to, own.rows + own.stride * <usize>row, end - first);
  }
  if (!state.restores || quadAt(frame.restorationType, index) === Restoration.None) return;
  const beyond = own.rows + own.stride * <usize>(row + end - first);
  restoreStripe(frame, state, index, first, end, state.upscales ? own.stripeBelow : beyond);
  const above = own.stripeAbove;
  own.stripeAbove = own.stripeNext;
  own.stripeNext = above;
}

function upscale(frame: Frame, state: FilterState, index: i32, to: usize, from: usize, rows: i32): void {
  const own = filterPlaneAt(state, index);
  const width = planeAt(frame, index).width;
  const stride = own.stride;
  const depth = frame.bitDepth;
  const subX = planeAt(frame, index).subX;
  const first = (frame.wantedFrom >> subX) - RESTORATION_REACH;
  const end = min(own.outputWidth, ((frame.wantedEnd + subX) >> subX) + RESTORATION_REACH);
  upscaleRows(
    to,
    own.outputStride,
    own.outputWidth,
    max(0, first & -4),
    end,
    from,
    stride,
    own.codedWidth,
    width,
    rows,
    depth,
  );
}
