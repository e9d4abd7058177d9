/**
 * CDEF (AV1 specification, section 7.15) for a row of 8 × 8 blocks, in place. Up to eight adjacent blocks are
 * copied with their surroundings, as these were before any block was filtered.
 */

import { Frame, MI_BYTES, Mi, Plane, planeAt } from '../frame';
import { directionVariance, findDirection } from './cdef_direction';
import { COPY_STRIDE, filterBlock, UNAVAILABLE } from './cdef_filter';
import { CONTEXT_ROWS, copyRows, FilterPlane, FilterState, filterPlaneAt } from './state';

/** Blocks that are copied together. */
const GROUP = 8;
/** The copies of three planes, 12 rows each; the block's first sample comes after eight others. */
const COPY_ROWS: usize = 8 + 2 * CONTEXT_ROWS;
const COPY_BYTES: usize = COPY_ROWS * COPY_STRIDE;
const BEFORE: usize = 16;
const copies: usize = memory.data(5760 + 64, 16);
/** Two samples of each row left of the copy. */
const leftColumns: usize = memory.data(32, 16);
/** Two samples that are not available. */
const NO_SAMPLES: u32 = 0x80008000;
/** Cdef_Uv_Dir for chroma with half the columns and all rows. */
const DIRECTIONS_422 = memory.data<u8>([7, 0, 2, 4, 5, 6, 6, 6]);

/** Decides for each 8 × 8 block of a superblock row whether it is filtered, and with which strengths. */
export function markCdefBlocks(frame: Frame, state: FilterState): void {
  const columns = state.cdefColumns;
  const rows = frame.superblockMi >> 1;
  const miRow = <usize>frame.miStride * MI_BYTES;
  const first = frame.filteredFrom >> 3;
  const end = frame.filteredEnd >> 3;
  for (let row = 0; row < rows; row++) {
    let to = state.cdefBlocks + <usize>((row + 1) * columns + first);
    let mi = frame.mi + <usize>(row << 1) * miRow + <usize>(first << 1) * MI_BYTES + Mi.Skip;
    const indices = frame.cdefIndex + <usize>((row >> 3) * frame.cdefStride);
    for (let column = first; column < end; column++) {
      const skip =
        load<u8>(mi) & load<u8>(mi + MI_BYTES) & load<u8>(mi + miRow) & load<u8>(mi + miRow + MI_BYTES);
      store<i8>(to, skip ? -1 : load<i8>(indices + <usize>(column >> 3)));
      mi += 2 * MI_BYTES;
      to++;
    }
  }
}

/** Keeps the decisions for the lowest blocks, which are filtered with the next superblock row. */
export function keepCdefBlocks(frame: Frame, state: FilterState): void {
  const columns = <usize>state.cdefColumns;
  memory.copy(state.cdefBlocks, state.cdefBlocks + columns * <usize>(frame.superblockMi >> 1), columns);
}

/**
 * Filters the blocks whose first luma row is `y`, a multiple of 8. The two rows below them must be deblocked,
 * and state.cdefAbove must have the two rows above them as they were before CDEF.
 */
export function deringBlocks(frame: Frame, state: FilterState, y: i32): void {
  for (let index = 0; index < frame.planeCount; index++) {
    const own = filterPlaneAt(state, index);
    const subY = planeAt(frame, index).subY;
    const end = own.rows + own.stride * <usize>((y + 8 - state.top) >> subY);
    copyRows(own.cdefNext, end - CONTEXT_ROWS * own.stride, CONTEXT_ROWS * own.stride);
  }
  const blocks = state.cdefBlocks + <usize>(((y - state.top) >> 3) * state.cdefColumns);
  let wasFiltered = false;
  const end = frame.filteredEnd >> 3;
  for (let column = frame.filteredFrom >> 3; column < end; column += GROUP) {
    const count = min(GROUP, end - column);
    const isFiltered = hasFiltered(blocks + <usize>column, count);
    if (isFiltered) {
      for (let index = 0; index < frame.planeCount; index++) {
        copyGroup(frame, state, index, y, column, count, wasFiltered);
      }
      for (let i = 0; i < count; i++) {
        const set = load<i8>(blocks + <usize>(column + i));
        if (set >= 0) deringBlock(frame, state, y, column, i, set);
      }
    }
    wasFiltered = isFiltered;
  }
  for (let index = 0; index < frame.planeCount; index++) {
    const own = filterPlaneAt(state, index);
    const above = own.cdefAbove;
    own.cdefAbove = own.cdefNext;
    own.cdefNext = above;
  }
}

function hasFiltered(blocks: usize, count: i32): bool {
  for (let i = 0; i < count; i++) if (load<i8>(blocks + <usize>i) >= 0) return true;
  return false;
}

/** Address of the first sample of a group of blocks in a plane's copy. */
// @inline
function copyOf(index: i32): usize {
  return copies + <usize>index * COPY_BYTES + CONTEXT_ROWS * COPY_STRIDE + BEFORE;
}

/**
 * Copies a group of blocks with their surroundings.
 * @param y, column those of the first block
 * @param wasFiltered whether the group on the left was filtered: then the samples beside come from its copy
 */
function copyGroup(
  frame: Frame,
  state: FilterState,
  index: i32,
  y: i32,
  column: i32,
  count: i32,
  wasFiltered: bool,
): void {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  const rows = 8 >> plane.subY;
  const columns = (count << 3) >> plane.subX;
  const isLast = column + count === state.cdefColumns;
  const x = (<usize>((column << 3) >> plane.subX)) << 1;
  const lastLeft = ((GROUP << 3) >> plane.subX) - 2;
  let to = copyOf(index);
  if (wasFiltered) {
    for (let row = 0; row < rows; row++) {
      const left = load<u32>(to + <usize>row * COPY_STRIDE + ((<usize>lastLeft) << 1));
      store<u32>(leftColumns + ((<usize>row) << 2), left);
    }
  }
  let from = own.rows + own.stride * <usize>((y - state.top) >> plane.subY) + x;
  const above = to - CONTEXT_ROWS * COPY_STRIDE;
  if (y === 0) fillRows(above);
  else copyBeside(above, own.cdefAbove + x, own.stride, <i32>CONTEXT_ROWS, columns, x === 0, isLast);
  copyBeside(to, from, own.stride, rows, columns, x === 0, isLast);
  if (wasFiltered) {
    for (let row = 0; row < rows; row++) {
      store<u32>(to + <usize>row * COPY_STRIDE - 4, load<u32>(leftColumns + ((<usize>row) << 2)));
    }
  }
  to += <usize>rows * COPY_STRIDE;
  from += <usize>rows * own.stride;
  if (y + 8 >= frame.miRows << 2) fillRows(to);
  else copyBeside(to, from, own.stride, <i32>CONTEXT_ROWS, columns, x === 0, isLast);
}

/** Copies rows with two samples on either side, or with none at the picture's edges. */
function copyBeside(
  to: usize,
  from: usize,
  stride: usize,
  rows: i32,
  columns: i32,
  isFirst: bool,
  isLast: bool,
): void {
  const bytes = (<usize>columns) << 1;
  for (let row = 0; row < rows; row++) {
    store<u32>(to - 4, isFirst ? NO_SAMPLES : load<u32>(from - 4));
    for (let i: usize = 0; i < bytes; i += 16) v128.store(to + i, v128.load(from + i));
    store<u32>(to + bytes, isLast ? NO_SAMPLES : load<u32>(from + bytes));
    to += COPY_STRIDE;
    from += stride;
  }
}

/** Fills two rows that are not available. */
function fillRows(to: usize): void {
  const none = i16x8.splat(UNAVAILABLE);
  const end = to - BEFORE + CONTEXT_ROWS * COPY_STRIDE;
  for (let at = to - BEFORE; at < end; at += 16) v128.store(at, none);
}

/**
 * Filters one block in all planes.
 * @param column of its group
 * @param i its index in the group
 */
function deringBlock(frame: Frame, state: FilterState, y: i32, column: i32, i: i32, set: i32): void {
  const scale = frame.bitDepth - 8;
  const primary = (<i32>load<u8>(frame.cdefYPrimary + <usize>set)) << scale;
  const secondary = (<i32>load<u8>(frame.cdefYSecondary + <usize>set)) << scale;
  const isColoured = frame.planeCount > 1;
  const uvPrimary = isColoured ? (<i32>load<u8>(frame.cdefUvPrimary + <usize>set)) << scale : 0;
  const uvSecondary = isColoured ? (<i32>load<u8>(frame.cdefUvSecondary + <usize>set)) << scale : 0;
  let direction = 0;
  let variance = 0;
  if ((primary | uvPrimary) !== 0) {
    direction = findDirection(copyOf(0) + ((<usize>i) << 4), COPY_STRIDE, frame.bitDepth);
    variance = directionVariance;
  }
  const adjusted = adjustedStrength(primary, variance);
  if ((adjusted | secondary) !== 0) {
    const own = primary === 0 ? 0 : direction;
    deringPlane(frame, state, 0, y, column, i, adjusted, secondary, frame.cdefDamping + scale, own);
  }
  if ((uvPrimary | uvSecondary) === 0) return;
  const u = frame.u;
  let own = uvPrimary === 0 ? 0 : direction;
  if (uvPrimary !== 0 && u.subX !== u.subY) own = <i32>load<u8>(DIRECTIONS_422 + <usize>direction);
  const damping = frame.cdefDamping + scale - 1;
  deringPlane(frame, state, 1, y, column, i, uvPrimary, uvSecondary, damping, own);
  deringPlane(frame, state, 2, y, column, i, uvPrimary, uvSecondary, damping, own);
}

/** Luma's primary strength, reduced where the direction is unclear. */
// @inline
function adjustedStrength(strength: i32, variance: i32): i32 {
  if (variance === 0) return 0;
  const log2 = variance >> 6 ? min(31 - clz(variance >> 6), 12) : 0;
  return (strength * (4 + log2) + 8) >> 4;
}

function deringPlane(
  frame: Frame,
  state: FilterState,
  index: i32,
  y: i32,
  column: i32,
  i: i32,
  primary: i32,
  secondary: i32,
  damping: i32,
  direction: i32,
): void {
  const plane: Plane = planeAt(frame, index);
  const own: FilterPlane = filterPlaneAt(state, index);
  const subX = <usize>plane.subX;
  const from = copyOf(index) + (((<usize>i) << 4) >> subX);
  const x = ((<usize>(column + i)) << 4) >> subX;
  const to = own.rows + own.stride * <usize>((y - state.top) >> plane.subY) + x;
  const rows = 8 >> plane.subY;
  const bitDepth = frame.bitDepth;
  filterBlock(to, own.stride, from, subX === 0, rows, primary, secondary, damping, direction, bitDepth);
}
