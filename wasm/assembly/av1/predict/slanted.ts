/** Lines of samples interpolated from an edge: what the directional modes are made of (section 7.11.2.4). */
import { storeColumns8 } from '../transform/transpose';
import { storeSamples } from './fill';

/** A temporary tile, for when 8 × 8 samples exceed the block. */
const tile: usize = memory.data(8 * 16, 16);

/**
 * Eight samples between those of an edge that begin at `at`, `fraction` 32nds of the way to the next one:
 * Round2(a · (32 − fraction) + b · fraction, 5).
 * @param upsampling 1 where the edge has two samples for each of the block
 */
// @inline
export function interpolated(at: usize, fraction: i32, upsampling: i32): v128 {
  let a = v128.load(at);
  let b: v128;
  if (upsampling) {
    const more = v128.load(at, 16);
    b = v128.shuffle<i16>(a, more, 1, 3, 5, 7, 9, 11, 13, 15);
    a = v128.shuffle<i16>(a, more, 0, 2, 4, 6, 8, 10, 12, 14);
  } else {
    b = v128.load(at, 2);
  }
  return i16x8.add(a, i16x8.q15mulr_sat_s(i16x8.sub(b, a), i16x8.splat(<i16>(fraction << 10))));
}

/**
 * Predicts rows along an edge, each one step further.
 * @param last the edge's last sample; it is repeated after it for the length of a row and 8 more
 * @param step of each row along the edge, in 64ths of a sample
 */
export function alongEdge(
  edge: usize,
  last: i32,
  step: i32,
  upsampling: i32,
  dst: usize,
  stride: usize,
  width: i32,
  height: i32,
): void {
  const rowBytes = (<usize>width) << 1;
  for (let i = 1; i <= height; i++, dst += stride) {
    const base = min((i * step) >> (6 - upsampling), last);
    const fraction = (((i * step) << upsampling) >> 1) & 31;
    const from = edge + <usize>(base << 1);
    for (let at: usize = 0; at < rowBytes; at += 16) {
      storeSamples(dst + at, interpolated(from + (at << upsampling), fraction, upsampling), width === 4);
    }
  }
}

/** The same for columns, in the directions that point down: they never reach the edge's end. */
export function alongEdgeTurned(
  edge: usize,
  step: i32,
  upsampling: i32,
  dst: usize,
  stride: usize,
  width: i32,
  height: i32,
): void {
  for (let row = 0; row < height; row += 8) {
    for (let column = 0; column < width; column += 8) {
      turnedTile(edge, step, upsampling, column, row, dst + ((<usize>column) << 1), stride, width, height);
    }
    dst += stride << 3;
  }
}

/**
 * Predicts 8 × 8 samples, or as many of them as the block has, from the column to the left.
 * @param step of each column along the edge, in 64ths of a sample: negative towards the edge's start
 * @param dst where the tile begins
 */
export function turnedTile(
  edge: usize,
  step: i32,
  upsampling: i32,
  column: i32,
  row: i32,
  dst: usize,
  stride: usize,
  width: i32,
  height: i32,
): void {
  const from = edge + <usize>((row << upsampling) << 1);
  // What begins so far before the edge has no sample that counts.
  const first = -16 - (row << upsampling);
  const isWhole = width > 4 && height > 4;
  storeColumns8(
    isWhole ? dst : tile,
    isWhole ? stride : 16,
    turnedColumn(from, (column + 1) * step, upsampling, first),
    turnedColumn(from, (column + 2) * step, upsampling, first),
    turnedColumn(from, (column + 3) * step, upsampling, first),
    turnedColumn(from, (column + 4) * step, upsampling, first),
    turnedColumn(from, (column + 5) * step, upsampling, first),
    turnedColumn(from, (column + 6) * step, upsampling, first),
    turnedColumn(from, (column + 7) * step, upsampling, first),
    turnedColumn(from, (column + 8) * step, upsampling, first),
  );
  if (isWhole) return;
  const rows: usize = min(height, 8);
  for (let i: usize = 0; i < rows; i++) {
    storeSamples(dst + i * stride, v128.load(tile + (i << 4)), width === 4);
  }
}

// @inline
function turnedColumn(from: usize, position: i32, upsampling: i32, first: i32): v128 {
  const base = max(position >> (6 - upsampling), first);
  const fraction = ((position << upsampling) >> 1) & 31;
  return interpolated(from + <usize>(base << 1), fraction, upsampling);
}
