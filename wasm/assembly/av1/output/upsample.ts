/**
 * Upsamples chroma rows to luma's width: bilinear, with chroma samples in the middle of the luma samples that
 * share them, as libavif does by default. Samples have 16 bits. Nothing is rounded: the result is a multiple.
 */

import { ROW_LEAD } from './constants';

/**
 * Makes the chroma row for one luma row. If chroma has half the rows, it is three quarters of the row that
 * covers the luma row and one quarter of the other nearest row; at the picture's edge both are the same.
 * Reads and writes up to 32 bytes beyond the rows.
 * @param near address of the covering row's `count` samples, at most 12 bits each
 * @param far address of the other row; 0 if chroma has all rows
 * @param sums room for ROW_LEAD + count samples
 * @param out twice `count` samples: 16 times the interpolated value, 4 times if `far` is 0
 */
export function av1UpsampleRow(near: usize, far: usize, sums: usize, out: usize, count: i32): void {
  const three = i16x8.splat(3);
  const bytes = (<usize>count) << 1;
  const first = sums + (ROW_LEAD << 1);
  if (far === 0) memory.copy(first, near, bytes);
  else {
    for (let at: usize = 0; at < bytes; at += 16) {
      v128.store(first + at, i16x8.add(i16x8.mul(v128.load(near + at), three), v128.load(far + at)));
    }
  }
  store<u16>(first - 2, load<u16>(first));
  store<u16>(first + bytes, load<u16>(first + bytes - 2));
  for (let at: usize = 0; at < bytes; at += 16) {
    const middle = i16x8.mul(v128.load(first + at), three);
    const left = i16x8.add(middle, v128.load(first + at - 2));
    const right = i16x8.add(middle, v128.load(first + at + 2));
    v128.store(out + (at << 1), v128.shuffle<i16>(left, right, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(out + (at << 1), v128.shuffle<i16>(left, right, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  }
}
