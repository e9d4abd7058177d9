/**
 * The planes as a window of rows: superblock rows are written below what is left of earlier ones, go through
 * the filters, and leave as finished rows.
 */

import { alloc } from '../../memory';
import { Frame, Plane, planeAt } from '../frame';
import { addGrain, startGrain } from '../grain/grain';
import { GrainState, grainStateAt } from '../grain/state';
import { keepCdefBlocks, markCdefBlocks } from './cdef';
import { deblockSuperblockRow } from './deblock';
import {
  copyRows,
  FilterPlane,
  FilterState,
  filterBytes,
  filterPlaneAt,
  filterStateAt,
  LAG_ROWS,
  lineAt,
  planeRows,
} from './state';
import { filterStripes } from './stripes';

/**
 * Bytes that `reserveWindow` will reserve for a picture whose headers have been read: sizes, `planeCount`,
 * `subX` and `subY` of the planes, the filters it uses, `filmGrain`.
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
  const state = filterStateAt(frame, at);
  if (state.grain !== 0) grainStateAt(frame, state.grain);
  return true;
}

/** Begins a read of all columns: sets where the planes' rows lie, and where the first ones are written. */
export function startWindow(frame: Frame): void {
  frame.filteredFrom = 0;
  frame.filteredEnd = frame.miCols << 2;
  frame.wantedFrom = 0;
  frame.wantedEnd = frame.upscaledWidth;
  const state = changetype<FilterState>(frame.filters);
  state.top = -LAG_ROWS;
  frame.finishedY = 0;
  frame.finishedRows = 0;
  for (let index = 0; index < frame.planeCount; index++) {
    const plane = planeAt(frame, index);
    const own = filterPlaneAt(state, index);
    plane.stride = own.stride;
    plane.current = own.rows + own.stride * <usize>(LAG_ROWS >> plane.subY);
    plane.above = own.line;
    plane.finished = own.output;
    plane.finishedStride = own.outputStride;
    plane.finishedWidth = own.outputWidth;
  }
  if (state.grain !== 0) startGrain(frame, changetype<GrainState>(state.grain));
}

/**
 * Filters the superblock row `frame.superblockRow`, which must be completely reconstructed. Sets which rows
 * are finished, and where the next superblock row is to be written. That row then overwrites the finished
 * ones.
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
  } else filterWindow(frame, state, reached, isLast);
  if (state.grain !== 0) addGrain(frame, changetype<GrainState>(state.grain));
}

/** @param reached the luma row after the superblock row */
function filterWindow(frame: Frame, state: FilterState, reached: i32, isLast: bool): void {
  for (let index = 0; index < frame.planeCount; index++) joinPlane(frame, index, state);
  if (state.deblocks) deblockSuperblockRow(frame, state);
  if (state.deringes) markCdefBlocks(frame, state);
  filterStripes(frame, state, isLast ? frame.miRows << 2 : reached - LAG_ROWS);
  if (state.deringes) keepCdefBlocks(frame, state);
  for (let index = 0; index < frame.planeCount; index++) leavePlane(frame, index, state);
  state.top = reached - LAG_ROWS;
}

/** Keeps the lowest row unfiltered, for predictions, and restores what was left of the row before. */
function joinPlane(frame: Frame, index: i32, state: FilterState): void {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  const lag = LAG_ROWS >> plane.subY;
  const rows = (frame.superblockMi << 2) >> plane.subY;
  plane.above = lineAt(frame, index, own);
  // Once all columns have been decoded, the kept lines are complete; what is read now may not be.
  if (own.keptLines === 0 || !frame.surveyed) {
    copyRows(plane.above, own.rows + own.stride * <usize>(lag + rows - 1), own.stride);
  }
  if (frame.superblockRow > 0) copyRows(own.rows, own.lag, own.stride * <usize>lag);
}

/**
 * Keeps the lowest rows, which the next superblock row will overwrite, and sets where the finished ones are.
 */
function leavePlane(frame: Frame, index: i32, state: FilterState): void {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  const rows = (frame.superblockMi << 2) >> plane.subY;
  copyRows(own.lag, own.rows + own.stride * <usize>rows, own.stride * <usize>(LAG_ROWS >> plane.subY));
  plane.finished = own.output + own.outputStride * <usize>((frame.finishedY - state.top) >> plane.subY);
}

/** Moves on to the next superblock row of a picture that is held whole. */
function advancePlane(frame: Frame, index: i32, state: FilterState): void {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  plane.finished = plane.current;
  if (own.output !== own.rows) {
    plane.finished = own.output;
    copyFinished(frame, plane, own);
  }
  plane.current += own.stride * <usize>((frame.superblockMi << 2) >> plane.subY);
  plane.above = plane.current - own.stride;
}

/**
 * Copies finished rows of a picture held whole to where they get film grain, which predictions must not see.
 */
function copyFinished(frame: Frame, plane: Plane, own: FilterPlane): void {
  const rows = planeRows(plane, frame.finishedRows);
  for (let row: usize = 0; row < <usize>rows; row++) {
    const from = plane.current + row * own.stride;
    memory.copy(own.output + row * own.outputStride, from, (<usize>own.outputWidth) << 1);
  }
}
