/** Directions between up and left (section 7.11.2.4, step 8): lines meet the row above or the column. */
import { ABOVE, LEFT } from './edges';
import { storeSamples } from './fill';
import { interpolated, turnedTile } from './slanted';

const LANES: usize = memory.data<i16>([0, 1, 2, 3, 4, 5, 6, 7], 16);

/**
 * Predicts a block from ABOVE and LEFT, both with the corner.
 * @param dx step of each row along the row above, in 64ths of a sample, to the left
 * @param aboveUpsampling 1 where that row has two samples for each of the block
 * @param dy step of each column along the column to the left, up
 */
export function predictBetween(
  dst: usize,
  stride: usize,
  width: i32,
  height: i32,
  dx: i32,
  aboveUpsampling: i32,
  dy: i32,
  leftUpsampling: i32,
): void {
  for (let row = 0; row < height; row += 8) {
    const rows = min(height - row, 8);
    const fromLeft = columnsFromLeft((row + rows) * dx, aboveUpsampling, width);
    for (let column = 0; column < fromLeft; column += 8) {
      const at = dst + ((<usize>column) << 1);
      turnedTile(LEFT, -dy, leftUpsampling, column, row, at, stride, width, height);
    }
    for (let i = row + 1; i <= row + rows; i++, dst += stride) {
      rowFromAbove(dst, i * dx, aboveUpsampling, width);
    }
  }
}

/**
 * Number of columns of a row whose lines meet the column to the left.
 * @param distance of the row along the row above
 */
// @inline
function columnsFromLeft(distance: i32, upsampling: i32, width: i32): i32 {
  const base = -distance >> (6 - upsampling);
  return min(width, (-base - 1) >> upsampling);
}

/** Writes the columns whose lines meet the row above. */
// @inline
function rowFromAbove(dst: usize, distance: i32, upsampling: i32, width: i32): void {
  const base = -distance >> (6 - upsampling);
  const fraction = ((-distance << upsampling) >> 1) & 31;
  const first = columnsFromLeft(distance, upsampling, width);
  for (let column = first & ~7; column < width; column += 8) {
    const at = dst + ((<usize>column) << 1);
    let samples = interpolated(ABOVE + <usize>((base + (column << upsampling)) << 1), fraction, upsampling);
    if (column < first) {
      const isLeft = i16x8.lt_s(v128.load(LANES), i16x8.splat(<i16>(first - column)));
      samples = v128.bitselect(v128.load(at), samples, isLeft);
    }
    storeSamples(at, samples, width === 4);
  }
}
