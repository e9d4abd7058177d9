/**
 * The planes as a window of rows: superblock rows are written below what is left of the ones before, go
 * through the filters, and leave as finished rows.
 */

import { alloc } from '../../memory';
import { Frame, planeAt } from '../frame';
import { deringBlocks, keepCdefBlocks, markCdefBlocks } from './cdef';
import { deblockSuperblockRow } from './deblock';
import {
  copyRows,
  FilterState,
  filterBytes,
  filterPlaneAt,
  filterStateAt,
  LAG_ROWS,
  planeRows,
  STRIPE_ROWS,
} from './state';

/**
 * Bytes that `reserveWindow` will take of a picture whose headers have been read: sizes, `planeCount`,
 * `subX` and `subY` of the planes, which filters it uses, `filmGrain`.
 */
export function windowBytes(frame: Frame): usize {
  return filterBytes(frame);
}

/**
 * Reserves the window.
 * @returns false when the memory cannot grow that far
 */
export function reserveWindow(frame: Frame): bool {
  const at = alloc(filterBytes(frame));
  if (at === 0) return false;
  frame.filters = at;
  filterStateAt(frame, at);
  return true;
}

/** Begins a reading: sets the planes' sizes and strides, and where the first superblock row is written. */
export function startWindow(frame: Frame): void {
  const state = changetype<FilterState>(frame.filters);
  state.top = -LAG_ROWS;
  frame.finishedY = 0;
  frame.finishedRows = 0;
  for (let index = 0; index < frame.planeCount; index++) {
    const plane = planeAt(frame, index);
    const own = filterPlaneAt(state, index);
    plane.width = (frame.frameWidth + plane.subX) >> plane.subX;
    plane.height = planeRows(plane, frame.frameHeight);
    plane.stride = own.stride;
    plane.current = own.rows + own.stride * <usize>(LAG_ROWS >> plane.subY);
    plane.above = own.line;
    plane.finished = own.output;
    plane.finishedStride = own.outputStride;
    plane.finishedWidth = own.outputWidth;
  }
}

/**
 * Takes the superblock row `frame.superblockRow`, whose blocks are all reconstructed: sets which rows are
 * finished, and where the next superblock row is to be written. Finished rows stay as they are until the next
 * superblock row is written, which overwrites them.
 */
export function superblockRowDone(frame: Frame): void {
  const state = changetype<FilterState>(frame.filters);
  const reached = (frame.superblockRow + 1) * (frame.superblockMi << 2);
  const isLast = frame.superblockRow === frame.superblockRows - 1;
  const lag = state.wholePicture ? 0 : LAG_ROWS;
  frame.finishedY += frame.finishedRows;
  frame.finishedRows = (isLast ? frame.frameHeight : reached - lag) - frame.finishedY;
  if (state.wholePicture) {
    for (let index = 0; index < frame.planeCount; index++) advancePlane(frame, index, state);
    return;
  }
  for (let index = 0; index < frame.planeCount; index++) joinPlane(frame, index, state);
  if (state.deblocks) deblockSuperblockRow(frame, state);
  if (state.deringes) markCdefBlocks(frame, state);
  const end = isLast ? frame.miRows << 2 : reached - LAG_ROWS;
  let y = max(0, state.top);
  while (y < end) {
    const stripeEnd = min(end, ((y + LAG_ROWS) & -STRIPE_ROWS) + STRIPE_ROWS - LAG_ROWS);
    filterStripe(frame, state, y, stripeEnd);
    y = stripeEnd;
  }
  if (state.deringes) keepCdefBlocks(frame, state);
  for (let index = 0; index < frame.planeCount; index++) leavePlane(frame, index, state);
  state.top = reached - LAG_ROWS;
}

/** Keeps the lowest row as it is for predictions, and brings back what was left of the row before. */
function joinPlane(frame: Frame, index: i32, state: FilterState): void {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  const lag = LAG_ROWS >> plane.subY;
  const rows = (frame.superblockMi << 2) >> plane.subY;
  copyRows(own.line, own.rows + own.stride * <usize>(lag + rows - 1), own.stride);
  if (frame.superblockRow > 0) copyRows(own.rows, own.lag, own.stride * <usize>lag);
}

/** Keeps the lowest rows, which the next superblock row will overwrite, and says where finished ones are. */
function leavePlane(frame: Frame, index: i32, state: FilterState): void {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  const rows = (frame.superblockMi << 2) >> plane.subY;
  copyRows(own.lag, own.rows + own.stride * <usize>rows, own.stride * <usize>(LAG_ROWS >> plane.subY));
  plane.finished = own.output + own.outputStride * <usize>((frame.finishedY - state.top) >> plane.subY);
}

/** Goes on to the next superblock row of a whole picture, which stays as it is. */
function advancePlane(frame: Frame, index: i32, state: FilterState): void {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  plane.finished = plane.current;
  plane.current += own.stride * <usize>((frame.superblockMi << 2) >> plane.subY);
  plane.above = plane.current - own.stride;
}

/**
 * What follows deblocking, for the rows of one stripe of loop restoration.
 * @param from, end luma rows; multiples of 8
 */
function filterStripe(frame: Frame, state: FilterState, from: i32, end: i32): void {
  if (state.deringes) {
    for (let y = from; y < end; y += 8) deringBlocks(frame, state, y);
  }
}
