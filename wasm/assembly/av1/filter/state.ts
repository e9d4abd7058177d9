/**
 * The filters' state and its layout. The window's first row lies LAG_ROWS luma rows above the superblock row
 * being decoded. That many rows cannot be finished before the superblock row below is decoded: deblocking its
 * upper edge changes up to 6 rows, and CDEF works on 8 × 8 blocks and reads 2 rows beyond them (the offset of
 * stripes in section 7.17 of the AV1 specification exists for this).
 */

import { ROW_SLACK } from '../../constants';
import { allocated } from '../../memory';
import { Frame, MI_BYTES, Plane, planeAt } from '../frame';
import { grainBytes } from '../grain/state';

export const LAG_ROWS = 8;
/** Rows of a stripe of loop restoration (section 7.17), in luma samples. */
export const STRIPE_ROWS = 64;
/** Samples kept before and after the rows: see `Plane.above`. */
const MARGIN_BEFORE = 16;
const MARGIN_AFTER = 160;
const FIRST_SAMPLE: usize = MARGIN_BEFORE << 1;
const ROW_MARGIN_AFTER = 16;
/** Blocks are written whole: rows reach to the next multiple of 128 luma samples. */
const WIDTH_UNIT = 128;
/** Rows above and below their own that CDEF and loop restoration read. */
export const CONTEXT_ROWS: usize = 2;

@unmanaged
export class FilterPlane {
  /** First sample of the window's first row. */
  rows: usize;
  stride: usize;
  /** First sample of the row that `Plane.above` points into, and of the copy of the window's lowest rows. */
  line: usize;
  lag: usize;
  /** If the lines of all superblock rows are kept: first sample of the first one's line; else 0. */
  keptLines: usize;
  /** Samples per row, rounded up to whole 8 × 8 luma blocks: what CDEF and superres work on. */
  codedWidth: i32;
  codedHeight: i32;
  /**
   * First sample of the first output row: `rows`, unless superres makes wider ones, or the picture is held
   * whole and gets film grain, which predictions must not see.
   */
  output: usize;
  outputStride: usize;
  outputWidth: i32;
  /** Two deblocked rows each, `stride` or `outputStride` apart: above the next 8 × 8 blocks of CDEF … */
  cdefAbove: usize;
  cdefNext: usize;
  /** … above and below the stripe that is being restored, and above the next one. */
  stripeAbove: usize;
  stripeBelow: usize;
  stripeNext: usize;
}

@unmanaged
export class FilterState {
  y: FilterPlane;
  u: FilterPlane;
  v: FilterPlane;
  /** Which filters the picture uses; `wholePicture`: none, and the window does not move. */
  wholePicture: bool;
  deblocks: bool;
  deringes: bool;
  upscales: bool;
  restores: bool;
  /** Luma row of the window's first row. */
  top: i32;
  /** The lowest row of `Frame.mi` of the superblock row before. */
  miAbove: usize;
  /**
   * One i8 per 8 × 8 luma samples, from the window's first row on: the index of CDEF's strengths, −1 for
   * none. Rows of `cdefColumns`.
   */
  cdefBlocks: usize;
  cdefColumns: i32;
  /** A GrainState, 0 if the picture has no film grain. */
  grain: usize;
}

// @inline
export function filterPlaneAt(state: FilterState, index: i32): FilterPlane {
  return index === 0 ? state.y : index === 1 ? state.u : state.v;
}

/** Rows of a plane that cover this many luma rows, the last one perhaps in part. */
// @inline
export function planeRows(plane: Plane, lumaRows: i32): i32 {
  return (lumaRows + plane.subY) >> plane.subY;
}

/** @param to, from the first sample of the first row: what lies before it belongs to the row */
export function copyRows(to: usize, from: usize, bytes: usize): void {
  memory.copy(to - FIRST_SAMPLE, from - FIRST_SAMPLE, bytes);
}

/** Bytes of the records themselves, before the rows. */
const HEAD_BYTES: usize = offsetof<FilterState>() + 3 * offsetof<FilterPlane>();

/** Stands in for the records while bytes are only counted: larger than HEAD_BYTES. */
const counted: usize = memory.data(512, 8);

/** More than this core's memory can ever have: the result for pictures that no address can reach. */
const MOST_BYTES: usize = 0x7fff0000;
/** More rows, and more samples per row, than are ever added to the picture's. */
const MORE = 512;

/** Bytes that the filters' records and rows need, at most MOST_BYTES. */
export function filterBytes(frame: Frame): usize {
  const rows = frame.allowIntrabc ? frame.frameHeight : 0;
  const samples = 3 * <u64>(max(frame.frameWidth, frame.upscaledWidth) + MORE);
  if (2 * samples * <u64>(rows + MORE) > <u64>MOST_BYTES) return MOST_BYTES;
  return allocated(HEAD_BYTES) + layOut(frame, counted, 0);
}

/** @param at filterBytes of memory */
export function filterStateAt(frame: Frame, at: usize): FilterState {
  layOut(frame, at, at + allocated(HEAD_BYTES));
  return changetype<FilterState>(at);
}

/**
 * Assigns the addresses.
 * @param head address of the records
 * @param from where the rows begin
 * @returns the first address after them
 */
function layOut(frame: Frame, head: usize, from: usize): usize {
  const state = changetype<FilterState>(head);
  state.y = changetype<FilterPlane>(head + offsetof<FilterState>());
  state.u = changetype<FilterPlane>(head + offsetof<FilterState>() + offsetof<FilterPlane>());
  state.v = changetype<FilterPlane>(head + offsetof<FilterState>() + 2 * offsetof<FilterPlane>());
  chooseFilters(frame, state);
  let end = from;
  for (let index = 0; index < frame.planeCount; index++) end = layOutPlane(frame, state, index, end);
  state.miAbove = end;
  if (state.deblocks) end += allocated(<usize>frame.miCols * MI_BYTES);
  state.cdefBlocks = end;
  state.cdefColumns = frame.miCols >> 1;
  if (state.deringes) end += allocated(<usize>(state.cdefColumns * (1 + (frame.superblockMi >> 1))));
  state.grain = 0;
  if (frame.filmGrain !== 0) {
    state.grain = end;
    end += grainBytes(frame);
  }
  return end + ROW_SLACK;
}

function chooseFilters(frame: Frame, state: FilterState): void {
  const filters = !frame.allowIntrabc;
  state.wholePicture = frame.allowIntrabc;
  state.deblocks = filters && (frame.loopFilterLevel.a | frame.loopFilterLevel.b) !== 0;
  state.deringes = filters && frame.enableCdef && !frame.codedLossless;
  state.upscales = filters && frame.upscaledWidth !== frame.frameWidth;
  state.restores = filters && frame.usesRestoration && !frame.allLossless;
}

function layOutPlane(frame: Frame, state: FilterState, index: i32, from: usize): usize {
  const plane = planeAt(frame, index);
  const own = filterPlaneAt(state, index);
  const superblock = frame.superblockMi << 2;
  const lag = LAG_ROWS >> plane.subY;
  const rows = state.wholePicture ? frame.superblockRows * superblock : superblock;
  const width = wholeBlocks(frame, plane);
  own.codedWidth = (frame.miCols << 2) >> plane.subX;
  own.codedHeight = (frame.miRows << 2) >> plane.subY;
  own.stride = rowBytes(width);
  let end = from;
  own.rows = end + FIRST_SAMPLE;
  end += own.stride * <usize>(lag + (rows >> plane.subY));
  own.line = end + FIRST_SAMPLE;
  own.keptLines = 0;
  end += lineBytes(frame, plane);
  own.lag = end + FIRST_SAMPLE;
  if (!state.wholePicture) end += own.stride * <usize>lag;
  own.cdefAbove = end + FIRST_SAMPLE;
  own.cdefNext = own.cdefAbove + CONTEXT_ROWS * own.stride;
  if (state.deringes) end += 2 * CONTEXT_ROWS * own.stride;
  own.outputWidth = (frame.upscaledWidth + plane.subX) >> plane.subX;
  own.output = own.rows;
  own.outputStride = own.stride;
  if (state.upscales || (state.wholePicture && frame.filmGrain !== 0)) {
    own.output = end + FIRST_SAMPLE;
    own.outputStride = rowBytes(own.outputWidth);
    end += own.outputStride * <usize>(lag + (superblock >> plane.subY));
  }
  own.stripeAbove = end + FIRST_SAMPLE;
  own.stripeBelow = own.stripeAbove + CONTEXT_ROWS * own.outputStride;
  own.stripeNext = own.stripeBelow + CONTEXT_ROWS * own.outputStride;
  if (state.restores) end += 3 * CONTEXT_ROWS * own.outputStride;
  return end;
}

/** Samples per row, in whole blocks. */
// @inline
function wholeBlocks(frame: Frame, plane: Plane): i32 {
  return ((frame.frameWidth + WIDTH_UNIT - 1) & -WIDTH_UNIT) >> plane.subX;
}

/** Bytes of the row that predictions read from above: see `Plane.above`. */
// @inline
function lineBytes(frame: Frame, plane: Plane): usize {
  return allocated((<usize>(MARGIN_BEFORE + wholeBlocks(frame, plane) + MARGIN_AFTER)) << 1);
}

/** Bytes of the lowest rows of all superblock rows. */
export function keptLinesBytes(frame: Frame): usize {
  let bytes: usize = 0;
  for (let index = 0; index < frame.planeCount; index++) {
    bytes += lineBytes(frame, planeAt(frame, index)) * <usize>frame.superblockRows;
  }
  return bytes;
}

/**
 * Makes the lowest rows of all superblock rows be kept. Call it after reserveWindow.
 * @param at keptLinesBytes of memory
 */
export function placeKeptLines(frame: Frame, at: usize): void {
  let end = at;
  for (let index = 0; index < frame.planeCount; index++) {
    filterPlaneAt(changetype<FilterState>(frame.filters), index).keptLines = end + FIRST_SAMPLE;
    end += lineBytes(frame, planeAt(frame, index)) * <usize>frame.superblockRows;
  }
}

/** Address at which the lowest row of the superblock row decoded last is kept, before any filter. */
export function lineAt(frame: Frame, index: i32, own: FilterPlane): usize {
  if (own.keptLines === 0) return own.line;
  return own.keptLines + lineBytes(frame, planeAt(frame, index)) * <usize>frame.superblockRow;
}

/** Bytes from one row to the next, so that vectors may reach over a row's ends. */
function rowBytes(samples: i32): usize {
  return allocated((<usize>(MARGIN_BEFORE + samples + ROW_MARGIN_AFTER)) << 1);
}
