/** Chroma from luma (section 7.11.5). */
import { storeSamples } from './fill';

/**
 * Luma at the chroma samples' positions, with 3 fractional bits (L of the specification): 32 per row, i16.
 */
const luma8: usize = memory.data(32 * 32 * 2, 16);
const ROW_BYTES: usize = 64;

/**
 * Adds luma's differences from its mean, times `alpha`, to a block that holds its DC prediction.
 * @param stride bytes from a row of samples to the next, as is `lumaStride`
 * @param luma address of the luma sample at the block's first one; whole vectors are read
 * @param width 4 to 32, as is `height`
 * @param lumaWidth decoded luma samples of a row, from `luma` on (MaxLumaW less the block's start): at least
 * 1 << subX; those after them repeat the last pair. The same down for `lumaHeight`
 * @param alpha CflAlphaU or CflAlphaV, −16 to 16
 */
export function predictCfl(
  dst: usize,
  stride: usize,
  luma: usize,
  lumaStride: usize,
  subX: i32,
  subY: i32,
  width: i32,
  height: i32,
  lumaWidth: i32,
  lumaHeight: i32,
  alpha: i32,
  bitDepth: i32,
): void {
  const columns = min(width, lumaWidth >> subX);
  const rows = min(height, lumaHeight >> subY);
  let to = luma8;
  for (let i = 0; i < rows; i++, to += ROW_BYTES, luma += lumaStride << subY) {
    for (let j = 0; j < columns; j += 8) {
      const at = luma + ((<usize>(j << subX)) << 1);
      v128.store(to + ((<usize>j) << 1), subX ? pairs(at, subY ? lumaStride : 0) : single(at));
    }
    if (columns < width) repeatLast(to, columns, width);
  }
  for (const end = luma8 + ROW_BYTES * height; to < end; to += ROW_BYTES) {
    memory.copy(to, to - ROW_BYTES, ROW_BYTES);
  }
  addScaled(dst, stride, width, height, alpha, bitDepth);
}

/** Eight samples for chroma of the same width: times 8. */
// @inline
function single(at: usize): v128 {
  return i16x8.shl(v128.load(at), 3);
}

/** Eight pairs, summed and times 4; or with the pairs `below` bytes further, times 2. */
// @inline
function pairs(at: usize, below: usize): v128 {
  let low = v128.load(at);
  let high = v128.load(at, 16);
  if (below) {
    low = i16x8.add(low, v128.load(at + below));
    high = i16x8.add(high, v128.load(at + below, 16));
  }
  const even = v128.shuffle<i16>(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
  const odd = v128.shuffle<i16>(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
  return i16x8.shl(i16x8.add(even, odd), below ? 1 : 2);
}

// @inline
function repeatLast(row: usize, columns: i32, width: i32): void {
  const last = load<u16>(row + ((<usize>columns) << 1) - 2);
  for (let j = columns; j < width; j++) store<u16>(row + ((<usize>j) << 1), last);
}

function addScaled(dst: usize, stride: usize, width: i32, height: i32, alpha: i32, bitDepth: i32): void {
  const isNarrow = width === 4;
  const mean = i16x8.splat(<i16>lumaMean(width, height, isNarrow));
  // |alpha| times 2^9, so that q15mulr's shift by 15 bits is the shift by 6 that the product needs.
  const factor: i32 = abs(alpha) << 9;
  const factors = i16x8.splat(<i16>factor);
  const sign = i16x8.splat(alpha < 0 ? -1 : 0);
  const highest: i32 = (1 << bitDepth) - 1;
  const most = i16x8.splat(<i16>highest);
  const rowBytes = (<usize>width) << 1;
  let row = luma8;
  for (const end = dst + stride * height; dst < end; dst += stride, row += ROW_BYTES) {
    for (let at: usize = 0; at < rowBytes; at += 16) {
      const difference = i16x8.sub(v128.load(row + at), mean);
      const isNegative = v128.xor(i16x8.shr_s(difference, 15), sign);
      const size = i16x8.q15mulr_sat_s(i16x8.abs(difference), factors);
      const scaled = i16x8.sub(v128.xor(size, isNegative), isNegative);
      const dc = isNarrow ? v128.load64_zero(dst) : v128.load(dst + at);
      const sum = i16x8.min_s(i16x8.max_s(i16x8.add(dc, scaled), i16x8.splat(0)), most);
      storeSamples(dst + at, sum, isNarrow);
    }
  }
}

/** The mean of luma8, rounded (Round2). */
// @inline
function lumaMean(width: i32, height: i32, isNarrow: bool): i32 {
  let sums = i32x4.splat(0);
  const rowBytes = (<usize>width) << 1;
  for (let row = luma8; row < luma8 + ROW_BYTES * height; row += ROW_BYTES) {
    for (let at: usize = 0; at < rowBytes; at += 16) {
      const values = isNarrow ? v128.load64_zero(row) : v128.load(row + at);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(values));
    }
  }
  const halves = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1));
  const sum = i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
  const shift = ctz(width) + ctz(height);
  return (sum + ((1 << shift) >> 1)) >> shift;
}
