/** The directional modes (section 7.11.2.4): each sample is where a line in one direction meets an edge. */
import { predictBetween } from './between';
import { edgeStrength, filterEdge, isUpsampled, upsampleEdge } from './edge_filter';
import { ABOVE, corner, LEFT, repeat, sampleAt, takeAbove, takeLeft } from './edges';
import { fillColumns, fillRows } from './fill';
import { IntraBlock } from './intra_block';
import { alongEdge, alongEdgeTurned } from './slanted';

/** Degrees by mode (Mode_To_Angle), and of a step of `angleDelta`. */
const ANGLES: usize = memory.data<u8>([0, 90, 180, 45, 135, 113, 157, 203, 67]);
const ANGLE_STEP: i32 = 3;

/** Dr_Intra_Derivative of every third degree but those that no mode has: 64 times the cotangent. */
const DERIVATIVES: usize = memory.data<u16>([
  0, 0, 0, 1023, 0, 0, 547, 0, 0, 372, 0, 0, 0, 0, 273, 0, 0, 215, 0, 0, 178, 0, 0, 151, 0, 0, 132, 0, 0, 116,
  0, 0, 102, 0, 0, 0, 90, 0, 0, 80, 0, 0, 71, 0, 0, 64, 0, 0, 57, 0, 0, 51, 0, 0, 45, 0, 0, 0, 40, 0, 0, 35,
  0, 0, 31, 0, 0, 27, 0, 0, 23, 0, 0, 19, 0, 0, 15, 0, 0, 0, 0, 11, 0, 0, 7, 0, 0, 3, 0, 0,
]);

export function predictDirectional(block: IntraBlock): void {
  const angle = <i32>load<u8>(ANGLES + <usize>block.mode) + block.angleDelta * ANGLE_STEP;
  const width = 1 << block.log2W;
  const height = 1 << block.log2H;
  if (angle === 90) {
    takeAbove(block, width);
    fillColumns(block.dst, block.stride, block.log2W, height, ABOVE);
  } else if (angle === 180) {
    takeLeft(block, height);
    fillRows(block.dst, block.stride, block.log2W, height, LEFT);
  } else if (angle < 90) predictFromAbove(block, angle, width, height);
  else if (angle > 180) predictFromLeft(block, angle, width, height);
  else predictFromBoth(block, angle, width, height);
}

/** Zone 1: along the row above and above right. */
function predictFromAbove(block: IntraBlock, angle: i32, width: i32, height: i32): void {
  const extent = width + height;
  takeAbove(block, extent);
  store<u16>(ABOVE - 2, <u16>corner(block));
  let upsampling = 0;
  if (block.edgeFilter) {
    if (block.haveAbove) {
      filter(ABOVE, min(width, block.aboveCount) + height, extent, extent, 90 - angle, block);
    }
    upsampling = upsample(ABOVE, extent, extent, 90 - angle, block);
  }
  const last = (extent - 1) << upsampling;
  repeat(ABOVE, last + 1, last + 1 + ((width + 8) << upsampling), sampleAt(ABOVE, last));
  alongEdge(ABOVE, last, derivative(angle), upsampling, block.dst, block.stride, width, height);
}

/** Zone 3: along the column to the left and below. Like zone 1, mirrored at the diagonal. */
function predictFromLeft(block: IntraBlock, angle: i32, width: i32, height: i32): void {
  const extent = width + height;
  takeLeft(block, extent);
  store<u16>(LEFT - 2, <u16>corner(block));
  let upsampling = 0;
  if (block.edgeFilter) {
    if (block.haveLeft) {
      filter(LEFT, min(height, block.leftCount) + width, extent, extent, angle - 180, block);
    }
    upsampling = upsample(LEFT, extent, extent, angle - 180, block);
  }
  alongEdgeTurned(LEFT, derivative(270 - angle), upsampling, block.dst, block.stride, width, height);
}

/** Zone 2: between both edges. */
function predictFromBoth(block: IntraBlock, angle: i32, width: i32, height: i32): void {
  const extent = width + height;
  takeAbove(block, width);
  takeLeft(block, height);
  let topLeft = corner(block);
  if (block.edgeFilter && extent >= 24) {
    topLeft = (5 * (sampleAt(LEFT, 0) + sampleAt(ABOVE, 0)) + 6 * topLeft + 8) >> 4;
  }
  store<u16>(ABOVE - 2, <u16>topLeft);
  store<u16>(LEFT - 2, <u16>topLeft);
  let aboveUpsampling = 0;
  let leftUpsampling = 0;
  if (block.edgeFilter) {
    if (block.haveAbove) {
      filter(ABOVE, min(width, block.aboveCount), width, extent, angle - 90, block);
    }
    if (block.haveLeft) {
      filter(LEFT, min(height, block.leftCount), height, extent, 180 - angle, block);
    }
    aboveUpsampling = upsample(ABOVE, width, extent, angle - 90, block);
    leftUpsampling = upsample(LEFT, height, extent, 180 - angle, block);
  }
  predictBetween(
    block.dst,
    block.stride,
    width,
    height,
    derivative(180 - angle),
    aboveUpsampling,
    derivative(angle - 90),
    leftUpsampling,
  );
}

/** Filters `count` of an edge's `total` samples, as strongly as its direction `d` requires. */
function filter(edge: usize, count: i32, total: i32, extent: i32, d: i32, block: IntraBlock): void {
  const strength = edgeStrength(extent, d, block.smoothNeighbour);
  if (strength !== 0) filterEdge(edge, count, total, strength);
}

/** @returns 1 if the edge has twice as many samples now, otherwise 0 */
function upsample(edge: usize, count: i32, extent: i32, d: i32, block: IntraBlock): i32 {
  if (!isUpsampled(extent, d, block.smoothNeighbour)) return 0;
  upsampleEdge(edge, count, block.bitDepth);
  return 1;
}

// @inline
function derivative(angle: i32): i32 {
  return load<u16>(DERIVATIVES + ((<usize>angle) << 1));
}
