/**
 * Deblocks a superblock row (AV1 specification, section 7.14): all vertical edges, then the horizontal ones,
 * including its upper edge but not its lower one. A key frame has only intra blocks, so every edge of a
 * transform block is filtered.
 */

import { Frame, MI_BYTES, Mi, planeAt, quadAt } from '../frame';
import {
  filterEdge4,
  filterEdge6,
  filterEdge8,
  filterEdge16,
  setEdgeDepth,
  setEdgeStrength,
} from './edge_filters';
import { FilterState } from './state';
import { transpose8x8 } from './transpose';

/** Log2 of a TxSize's width, and of its height, in units of 4 samples (section 6.10.16). */
const TX_WIDTH = memory.data<u8>([0, 1, 2, 3, 4, 0, 1, 1, 2, 2, 3, 3, 4, 0, 2, 1, 3, 2, 4]);
const TX_HEIGHT = memory.data<u8>([0, 1, 2, 3, 4, 1, 0, 2, 1, 3, 2, 4, 3, 2, 0, 3, 1, 4, 2]);

/** The columns beside a vertical edge, as rows of eight samples. */
const ROW_BYTES: usize = 16;
const turned: usize = memory.data(256, 16);
const turnedEdge: usize = turned + 8 * ROW_BYTES;

/** State of the plane whose edges are being filtered, so that it need not be passed for each edge. */
let bitDepth: i32 = 8;
let sharpness: i32 = 0;
let isLuma: bool = true;
let levelAt: usize = 0;
let txSizeAt: usize = 0;
let txLog2: usize = TX_WIDTH;
/** Level of the edge that `edgeSize` examined last. */
let edgeLevel: i32 = 0;

/**
 * Deblocks the superblock row `frame.superblockRow`, and keeps what the edge below needs to know about its
 * blocks.
 */
export function deblockSuperblockRow(frame: Frame, state: FilterState): void {
  bitDepth = frame.bitDepth;
  sharpness = frame.loopFilterSharpness;
  setEdgeDepth(bitDepth);
  for (let index = 0; index < frame.planeCount; index++) {
    if (index > 0 && quadAt(frame.loopFilterLevel, 1 + index) === 0) continue;
    isLuma = index === 0;
    txSizeAt = isLuma ? Mi.TxSize : Mi.UvTxSize;
    levelAt = isLuma ? Mi.LevelVertical : index === 1 ? Mi.LevelU : Mi.LevelV;
    txLog2 = TX_WIDTH;
    verticalEdges(frame, index);
    if (isLuma) levelAt = Mi.LevelHorizontal;
    txLog2 = TX_HEIGHT;
    horizontalEdges(frame, state, index);
  }
  const lowest = frame.mi + <usize>((frame.superblockMi - 1) * frame.miStride) * MI_BYTES;
  memory.copy(state.miAbove, lowest, <usize>frame.miCols * MI_BYTES);
}

/** Units of 4 samples of the plane that begin inside the picture, from luma sample `from` on. */
// @inline
function unitsIn(lumaSamples: i32, shift: i32): i32 {
  return (lumaSamples + (4 << shift) - 1) >> (2 + shift);
}

function verticalEdges(frame: Frame, index: i32): void {
  const plane = planeAt(frame, index);
  const subX = plane.subX;
  const subY = plane.subY;
  const superblock = frame.superblockMi << 2;
  const first = frame.filteredFrom >> (2 + subX);
  const columns = min(unitsIn(frame.frameWidth, subX), frame.filteredEnd >> (2 + subX));
  const rows = unitsIn(min(superblock, frame.frameHeight - frame.superblockRow * superblock), subY);
  const miRow = <usize>frame.miStride * MI_BYTES;
  const miStep = MI_BYTES << subX;
  let mi = frame.mi + (subY ? miRow : 0) + (subX ? MI_BYTES : 0);
  let at = plane.current;
  for (let row = 0; row < rows; row += 2) {
    const hasLower = row + 1 < rows;
    const lower = miRow << subY;
    let upperNext = first;
    let lowerNext = hasLower ? first : columns;
    for (let column = first; column < columns; column = min(upperNext, lowerNext)) {
      const here = mi + <usize>column * miStep;
      let upperSize = 0;
      let lowerSize = 0;
      let upperLevel = 0;
      let lowerLevel = 0;
      if (column === upperNext) {
        if (column > first) {
          upperSize = edgeSize(here, here - miStep);
          upperLevel = edgeLevel;
        }
        upperNext = (column | ((1 << txAt(here)) - 1)) + 1;
      }
      if (column === lowerNext) {
        if (column > first) {
          lowerSize = edgeSize(here + lower, here + lower - miStep);
          lowerLevel = edgeLevel;
        }
        lowerNext = (column | ((1 << txAt(here + lower)) - 1)) + 1;
      }
      const edge = at + ((<usize>column) << 3);
      filterPair(true, edge, plane.stride, upperSize, upperLevel, lowerSize, lowerLevel);
    }
    at += plane.stride << 3;
    mi += lower << 1;
  }
}

function horizontalEdges(frame: Frame, state: FilterState, index: i32): void {
  const plane = planeAt(frame, index);
  const subX = plane.subX;
  const subY = plane.subY;
  const superblock = frame.superblockMi << 2;
  const first = frame.filteredFrom >> (2 + subX);
  const columns = min(unitsIn(frame.frameWidth, subX), frame.filteredEnd >> (2 + subX));
  const rows = unitsIn(min(superblock, frame.frameHeight - frame.superblockRow * superblock), subY);
  const miRow = <usize>frame.miStride * MI_BYTES;
  const miStep = MI_BYTES << subX;
  const firstMi = subX ? MI_BYTES : 0;
  let mi = frame.mi + (subY ? miRow : 0) + firstMi;
  let above = state.miAbove + firstMi;
  let at = plane.current;
  for (let row = 0; row < rows; row++) {
    if (row > 0 || frame.superblockRow > 0) {
      for (let column = first; column < columns; column += 2) {
        const offset = <usize>column * miStep;
        const leftSize = isEdge(mi + offset, row) ? edgeSize(mi + offset, above + offset) : 0;
        const leftLevel = edgeLevel;
        const right = offset + miStep;
        const hasRight = column + 1 < columns && isEdge(mi + right, row);
        const rightSize = hasRight ? edgeSize(mi + right, above + right) : 0;
        const rightLevel = edgeLevel;
        const edge = at + ((<usize>column) << 3);
        filterPair(false, edge, plane.stride, leftSize, leftLevel, rightSize, rightLevel);
      }
    }
    above = mi;
    mi += miRow << subY;
    at += plane.stride << 2;
  }
}

/** Log2 of a transform block's extent across the edge, in units of 4 samples. */
// @inline
function txAt(mi: usize): i32 {
  return load<u8>(txLog2 + load<u8>(mi + txSizeAt));
}

/** Whether a transform block begins at this row. Superblocks are multiples of every block's height. */
// @inline
function isEdge(mi: usize, row: i32): bool {
  return (row & ((1 << txAt(mi)) - 1)) === 0;
}

/**
 * Samples that the filter of the edge between the block at `mi` and the one before it works on (section
 * 7.14.3); 0 if the level is 0. Sets edgeLevel.
 */
function edgeSize(mi: usize, before: usize): i32 {
  const own = load<u8>(mi + levelAt);
  edgeLevel = own !== 0 ? own : load<u8>(before + levelAt);
  if (edgeLevel === 0) return 0;
  const log2 = min(txAt(mi), txAt(before));
  return log2 === 0 ? 4 : isLuma ? (log2 === 1 ? 8 : 16) : 6;
}

/**
 * Filters the edges of two consecutive units of 4 samples; both at once if their filters are of equal size.
 * @param vertical whether the edges separate columns
 * @param firstSize samples that the first unit's edge changes, on both sides; 0 for none
 */
function filterPair(
  vertical: bool,
  at: usize,
  stride: usize,
  firstSize: i32,
  firstLevel: i32,
  lastSize: i32,
  lastLevel: i32,
): void {
  if (firstSize === lastSize) {
    if (firstSize !== 0) filterEdge(vertical, at, stride, firstSize, firstLevel, lastLevel);
    return;
  }
  if (firstSize !== 0) filterEdge(vertical, at, stride, firstSize, firstLevel, 0);
  if (lastSize !== 0) filterEdge(vertical, at, stride, lastSize, 0, lastLevel);
}

/** Filters one edge. A unit with level 0 stays unchanged. */
function filterEdge(vertical: bool, at: usize, stride: usize, size: i32, first: i32, last: i32): void {
  setStrength(first, last);
  if (vertical) filterColumns(at, stride, size);
  else filterRows(at, stride, size);
}

/** Sets the limits of the first four and of the last four columns of an edge. Level 0: not filtered. */
function setStrength(first: i32, last: i32): void {
  const low = i64x2(-1, 0);
  const limit = v128.bitselect(i16x8.splat(limitOf(first)), i16x8.splat(limitOf(last)), low);
  const level = v128.bitselect(i16x8.splat(<i16>first), i16x8.splat(<i16>last), low);
  const blimit = i16x8.add(i16x8.shl(i16x8.add(level, i16x8.splat(2)), 1), limit);
  const scale = bitDepth - 8;
  setEdgeStrength(
    i16x8.shl(limit, scale),
    i16x8.shl(blimit, scale),
    i16x8.shl(i16x8.shr_u(level, 4), scale),
    i16x8.gt_s(level, i16x8.splat(0)),
  );
}

/** limit of section 7.14.4. */
// @inline
function limitOf(level: i32): i16 {
  const shifted = level >> (sharpness > 4 ? 2 : sharpness > 0 ? 1 : 0);
  return <i16>max(1, sharpness > 0 ? min(9 - sharpness, shifted) : shifted);
}

/** @param at the first sample of eight below the edge */
function filterRows(at: usize, stride: usize, size: i32): bool {
  if (size === 4) return filterEdge4(at, stride);
  if (size === 6) return filterEdge6(at, stride);
  if (size === 8) return filterEdge8(at, stride);
  return filterEdge16(at, stride);
}

/** @param at the first sample to the right of the edge; eight rows are filtered */
function filterColumns(at: usize, stride: usize, size: i32): void {
  transpose8x8(turnedEdge - 4 * ROW_BYTES, ROW_BYTES, at - 8, stride);
  if (size !== 16) {
    if (filterRows(turnedEdge, ROW_BYTES, size)) {
      transpose8x8(at - 8, stride, turnedEdge - 4 * ROW_BYTES, ROW_BYTES);
    }
    return;
  }
  transpose8x8(turned, ROW_BYTES, at - 16, stride);
  transpose8x8(turnedEdge, ROW_BYTES, at, stride);
  if (filterRows(turnedEdge, ROW_BYTES, size)) {
    transpose8x8(at - 16, stride, turned, ROW_BYTES);
    transpose8x8(at, stride, turnedEdge, ROW_BYTES);
  }
}
