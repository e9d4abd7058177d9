/**
 * Separable resampling of one component's samples, eight output rows at a time: rows of the source are laid
 * side by side in pairs, pairs are blended to rows of full width, and eight of these are narrowed together.
 * Weights are i16 of 2^-14 each; between the two passes a sample has 6 fractional bits.
 */

/** Halves of 2^8 and of 2^20. */
const HALVES: usize = memory.data<i32>([128, 128, 128, 128, 524288, 524288, 524288, 524288], 16);

/**
 * Stores a row of `width` samples into its pair. The first row becomes the even bytes; the odd ones are zero
 * until the second row comes. Up to 15 samples past the row are read, and as many written.
 */
export function pairRow(from: usize, width: i32, pair: usize, second: bool): void {
  const end = from + <usize>width;
  for (; from < end; from += 16) {
    const samples = v128.load(from);
    if (second) {
      const low = v128.load(pair);
      const high = v128.load(pair, 16);
      v128.store(
        pair,
        v128.shuffle<u8>(low, samples, 0, 16, 2, 17, 4, 18, 6, 19, 8, 20, 10, 21, 12, 22, 14, 23),
      );
      v128.store(
        pair,
        v128.shuffle<u8>(high, samples, 0, 24, 2, 25, 4, 26, 6, 27, 8, 28, 10, 29, 12, 30, 14, 31),
        16,
      );
    } else {
      v128.store(pair, i16x8.extend_low_i8x16_u(samples));
      v128.store(pair, i16x8.extend_high_i8x16_u(samples), 16);
    }
    pair += 32;
  }
}

/**
 * Blends one of eight rows, from `count` pairs of rows.
 * @param pairs their addresses, u32
 * @param weights two per pair
 * @param to the row's first lane: two adjacent samples are 4 bytes, those of all eight rows 32
 * @param width up to 15 more are read and written
 */
export function blendPairs(pairs: usize, weights: usize, count: i32, to: usize, width: i32): void {
  const half = v128.load(HALVES);
  const bytes = (<usize>width) << 1;
  const pairsEnd = pairs + ((<usize>count) << 2);
  for (let offset: usize = 0; offset < bytes; offset += 32) {
    let s0 = half;
    let s1 = half;
    let s2 = half;
    let s3 = half;
    let weight = weights;
    for (let pair = pairs; pair < pairsEnd; pair += 4) {
      const at = <usize>load<u32>(pair) + offset;
      const both = v128.load32_splat(weight);
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load8x8_u(at), both));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load8x8_u(at, 8), both));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.load8x8_u(at, 16), both));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.load8x8_u(at, 24), both));
      weight += 4;
    }
    const low = i16x8.narrow_i32x4_s(i32x4.shr_s(s0, 8), i32x4.shr_s(s1, 8));
    const high = i16x8.narrow_i32x4_s(i32x4.shr_s(s2, 8), i32x4.shr_s(s3, 8));
    v128.store32_lane(to, low, 0);
    v128.store32_lane(to, low, 1, 32);
    v128.store32_lane(to, low, 2, 64);
    v128.store32_lane(to, low, 3, 96);
    v128.store32_lane(to, high, 0, 128);
    v128.store32_lane(to, high, 1, 160);
    v128.store32_lane(to, high, 2, 192);
    v128.store32_lane(to, high, 3, 224);
    to += 256;
  }
}

/**
 * Narrows eight rows from `blendPairs` to rows of `width` samples.
 * @param starts for each narrowed sample, where its first tap begins in `rows`, in bytes, i32
 * @param weights `taps` for each, `taps` a multiple of 4
 * @param columns space for 8 bytes per sample, and for 7 more samples
 * @param to rows `stride` bytes apart, written up to 7 samples past their end
 */
export function narrowEight(
  rows: usize,
  starts: usize,
  weights: usize,
  taps: i32,
  columns: usize,
  to: usize,
  stride: usize,
  width: i32,
): void {
  const half = v128.load(HALVES, 16);
  const weightBytes = (<usize>taps) << 1;
  const end = starts + ((<usize>width) << 2);
  let column = columns;
  for (; starts < end; starts += 4) {
    let at = rows + <usize>load<i32>(starts);
    let upper = half;
    let lower = half;
    const weightsEnd = weights + weightBytes;
    for (; weights < weightsEnd; weights += 8) {
      const first = v128.load32_splat(weights);
      const second = v128.load32_splat(weights, 4);
      upper = i32x4.add(upper, i32x4.dot_i16x8_s(v128.load(at), first));
      lower = i32x4.add(lower, i32x4.dot_i16x8_s(v128.load(at, 16), first));
      upper = i32x4.add(upper, i32x4.dot_i16x8_s(v128.load(at, 32), second));
      lower = i32x4.add(lower, i32x4.dot_i16x8_s(v128.load(at, 48), second));
      at += 64;
    }
    const eight = i16x8.narrow_i32x4_s(i32x4.shr_s(upper, 20), i32x4.shr_s(lower, 20));
    v128.store64_lane(column, i8x16.narrow_i16x8_u(eight, eight), 0);
    column += 8;
  }
  turnColumns(columns, to, stride, width);
}

/** Transposes columns of eight samples into eight rows of `width`. */
// @inline
function turnColumns(columns: usize, to: usize, stride: usize, width: i32): void {
  const end = to + <usize>width;
  for (; to < end; to += 8) {
    const a = v128.load(columns);
    const b = v128.load(columns, 16);
    const c = v128.load(columns, 32);
    const d = v128.load(columns, 48);
    const ab0 = v128.shuffle<u8>(a, b, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    const ab4 = v128.shuffle<u8>(a, b, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
    const cd0 = v128.shuffle<u8>(c, d, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    const cd4 = v128.shuffle<u8>(c, d, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
    storePair(to, stride, v128.shuffle<i32>(ab0, cd0, 0, 4, 1, 5));
    storePair(to + 2 * stride, stride, v128.shuffle<i32>(ab0, cd0, 2, 6, 3, 7));
    storePair(to + 4 * stride, stride, v128.shuffle<i32>(ab4, cd4, 0, 4, 1, 5));
    storePair(to + 6 * stride, stride, v128.shuffle<i32>(ab4, cd4, 2, 6, 3, 7));
    columns += 64;
  }
}

/** Stores eight samples of a row and of the row below. */
// @inline
function storePair(to: usize, stride: usize, rows: v128): void {
  v128.store64_lane(to, rows, 0);
  v128.store64_lane(to + stride, rows, 1);
}
