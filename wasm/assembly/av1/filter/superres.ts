/** Superres (AV1 specification, section 7.16): upscales rows to the picture's width. */

import { UPSCALE_FILTER } from './superres_filter';

/** SUPERRES_SCALE_BITS and SUPERRES_EXTRA_BITS. */
const SCALE_BITS = 14;
const EXTRA_BITS = 8;
const SCALE_MASK = (1 << SCALE_BITS) - 1;
/** Samples that a filter's taps reach beyond the row's ends. */
const REACH = 8;

/**
 * Upscales rows. Eight samples before and after each source row are written, and up to three after each
 * output row.
 * @param to, toStride, toWidth the wider rows
 * @param first, end columns to make: a multiple of 4, and the one after the last
 * @param from, fromStride, codedWidth the source rows, and their samples in whole 8 × 8 luma blocks
 * @param width samples of a source row that belong to the picture, less than toWidth
 */
export function upscaleRows(
  to: usize,
  toStride: usize,
  toWidth: i32,
  first: i32,
  end: i32,
  from: usize,
  fromStride: usize,
  codedWidth: i32,
  width: i32,
  rows: i32,
  bitDepth: i32,
): void {
  const step = ((width << SCALE_BITS) + (toWidth >> 1)) / toWidth;
  const error = toWidth * step - (width << SCALE_BITS);
  let start = (-((toWidth - width) << (SCALE_BITS - 1)) + (toWidth >> 1)) / toWidth;
  start = (start + (1 << (EXTRA_BITS - 1)) - error / 2) & SCALE_MASK;
  const one: i32 = 1;
  const largest = i32x4.splat((one << bitDepth) - 1);
  for (let row = 0; row < rows; row++) {
    extendRow(from, codedWidth);
    let position = start - (1 << SCALE_BITS) + first * step;
    for (let x = first; x < end; x += 4) {
      const a = weighted(from, position);
      const b = weighted(from, position + step);
      const c = weighted(from, position + 2 * step);
      const d = weighted(from, position + 3 * step);
      const ab = i32x4.add(v128.shuffle<u32>(a, b, 0, 1, 4, 5), v128.shuffle<u32>(a, b, 2, 3, 6, 7));
      const cd = i32x4.add(v128.shuffle<u32>(c, d, 0, 1, 4, 5), v128.shuffle<u32>(c, d, 2, 3, 6, 7));
      let sum = i32x4.add(v128.shuffle<u32>(ab, cd, 0, 2, 4, 6), v128.shuffle<u32>(ab, cd, 1, 3, 5, 7));
      sum = i32x4.shr_s(i32x4.add(sum, i32x4.splat(64)), 7);
      sum = i32x4.max_s(i32x4.min_s(sum, largest), i32x4.splat(0));
      v128.store64_lane(to + ((<usize>x) << 1), i16x8.narrow_i32x4_s(sum, sum), 0);
      position += 4 * step;
    }
    to += toStride;
    from += fromStride;
  }
}

/** Repeats a row's first and last sample beyond its ends. */
function extendRow(row: usize, width: i32): void {
  const end = row + ((<usize>width) << 1);
  v128.store(row - 2 * REACH, i16x8.splat(load<i16>(row)));
  v128.store(end, i16x8.splat(load<i16>(end - 2)));
}

/** Products of the samples around a position and their taps, added in pairs. */
// @inline
function weighted(row: usize, position: i32): v128 {
  const phase = (position & SCALE_MASK) >> EXTRA_BITS;
  const samples = v128.load(row + <usize>(((position >> SCALE_BITS) - 3) << 1));
  return i32x4.dot_i16x8_s(samples, v128.load(UPSCALE_FILTER + ((<usize>phase) << 4)));
}
