/** Kernels on RGBA pixels in place: nothing past their end is touched. */

import { BLOCK_SUM_BYTES } from './constants';
import { lumaOf } from './to_ycbcr';

const EVEN_BYTES: usize = memory.data<i16>([255, 255, 255, 255, 255, 255, 255, 255], 16);
const ALPHA: usize = memory.data<u32>([0xff000000, 0xff000000, 0xff000000, 0xff000000], 16);
/**
 * Shuffle that copies each of two pixels' alpha to their colours, and nothing to the alpha: that is
 * multiplied by 255 separately.
 */
const ALPHA_LOW: usize = memory.data<u8>(
  [3, 128, 3, 128, 3, 128, 128, 128, 7, 128, 7, 128, 7, 128, 128, 128],
  16,
);
const ALPHA_HIGH: usize = memory.data<u8>(
  [11, 128, 11, 128, 11, 128, 128, 128, 15, 128, 15, 128, 15, 128, 128, 128],
  16,
);
/** 255 in the alpha's place of two pixels. */
const KEEP_ALPHA: usize = memory.data<i16>([0, 0, 0, 255, 0, 0, 0, 255], 16);

// @inline
function greyed(pixels: v128): v128 {
  const luma = lumaOf(v128.and(pixels, v128.load(EVEN_BYTES)), i16x8.shr_u(pixels, 8));
  const grey = v128.or(v128.or(luma, i32x4.shl(luma, 8)), i32x4.shl(luma, 16));
  return v128.or(grey, v128.and(pixels, v128.load(ALPHA)));
}

/** Sets colours to Rec. 601 luma: (19595 R + 38470 G + 7471 B + 2^15) >> 16. */
export function greyPixels(at: usize, count: i32): void {
  const end = at + ((<usize>count) << 2);
  for (; at + 16 <= end; at += 16) v128.store(at, greyed(v128.load(at)));
  for (; at < end; at += 4) v128.store32_lane(at, greyed(v128.load32_zero(at)), 0);
}

// @inline
function cleared(pixels: v128): v128 {
  const hidden = i32x4.eq(v128.and(pixels, v128.load(ALPHA)), i64x2.splat(0));
  return v128.andnot(pixels, hidden);
}

/** Makes pixels with alpha 0 transparent black. */
export function clearTransparentPixels(at: usize, count: i32): void {
  const end = at + ((<usize>count) << 2);
  for (; at + 16 <= end; at += 16) v128.store(at, cleared(v128.load(at)));
  for (; at < end; at += 4) v128.store32_lane(at, cleared(v128.load32_zero(at)), 0);
}

/** Whether any pixel is less than opaque. */
export function hasTransparentPixels(at: usize, count: i32): bool {
  const end = at + ((<usize>count) << 2);
  const alpha = v128.load(ALPHA);
  let all = alpha;
  for (; at + 16 <= end; at += 16) all = v128.and(all, v128.load(at));
  let last: u32 = 0xff000000;
  for (; at < end; at += 4) last &= load<u32>(at);
  return !i32x4.all_true(i32x4.eq(all, alpha)) || last !== 0xff000000;
}

/** Divides eight values of 0 to 65025 by 255, rounded to the nearest; exact. */
// @inline
export function divided255(value: v128): v128 {
  const raised = i16x8.add(value, v128.load(ROUND_255));
  return i16x8.shr_u(i16x8.add(raised, i16x8.shr_u(raised, 8)), 8);
}
const ROUND_255: usize = memory.data<i16>([128, 128, 128, 128, 128, 128, 128, 128], 16);

// @inline
function premultiplied(pixels: v128): v128 {
  const keep = v128.load(KEEP_ALPHA);
  const low = v128.or(i8x16.swizzle(pixels, v128.load(ALPHA_LOW)), keep);
  const high = v128.or(i8x16.swizzle(pixels, v128.load(ALPHA_HIGH)), keep);
  return i8x16.narrow_i16x8_u(
    divided255(i16x8.mul(i16x8.extend_low_i8x16_u(pixels), low)),
    divided255(i16x8.mul(i16x8.extend_high_i8x16_u(pixels), high)),
  );
}

/** Sets colours to round(colour · alpha / 255). */
export function premultiplyPixels(at: usize, count: i32): void {
  const end = at + ((<usize>count) << 2);
  for (; at + 16 <= end; at += 16) v128.store(at, premultiplied(v128.load(at)));
  for (; at < end; at += 4) v128.store32_lane(at, premultiplied(v128.load32_zero(at)), 0);
}

/** Shuffle that copies each of two pixels' alpha to all four of their channels. */
const ALPHA_OF_LOW: usize = memory.data<u8>(
  [3, 128, 3, 128, 3, 128, 3, 128, 7, 128, 7, 128, 7, 128, 7, 128],
  16,
);
const ALPHA_OF_HIGH: usize = memory.data<u8>(
  [11, 128, 11, 128, 11, 128, 11, 128, 15, 128, 15, 128, 15, 128, 15, 128],
  16,
);

// @inline
function flattened(pixels: v128): v128 {
  const white = v128.load(EVEN_BYTES);
  const alphaLow = i8x16.swizzle(pixels, v128.load(ALPHA_OF_LOW));
  const alphaHigh = i8x16.swizzle(pixels, v128.load(ALPHA_OF_HIGH));
  const low = i16x8.add(
    i16x8.mul(i16x8.extend_low_i8x16_u(pixels), alphaLow),
    i16x8.mul(i16x8.sub(white, alphaLow), white),
  );
  const high = i16x8.add(
    i16x8.mul(i16x8.extend_high_i8x16_u(pixels), alphaHigh),
    i16x8.mul(i16x8.sub(white, alphaHigh), white),
  );
  return i8x16.narrow_i16x8_u(divided255(low), divided255(high));
}

/**
 * Lays pixels over white in place: round((c · a + 255 · (255 − a)) / 255). Their alpha is left undefined;
 * nothing past their end is touched.
 */
export function flattenPixels(at: usize, count: i32): void {
  const end = at + ((<usize>count) << 2);
  for (; at + 16 <= end; at += 16) v128.store(at, flattened(v128.load(at)));
  for (; at < end; at += 4) v128.store32_lane(at, flattened(v128.load32_zero(at)), 0);
}

/** The longest run whose weighted sums fit 32 bits: 65,535 × 255 × 255. */
const MOST_SUMMED: usize = 65_535 * 4;

/**
 * Adds `count` pixels of one row to the sums of their blocks: red, green, blue and alpha as f64, which hold
 * them exactly.
 * @param at the first pixel, which begins a block
 * @param block pixels per block; the last block may be cut off
 * @param sums those of the first block
 * @param weighted colours are multiplied by their alpha
 */
export function sumBlocks(at: usize, count: i32, block: i32, sums: usize, weighted: bool): void {
  const end = at + ((<usize>count) << 2);
  const stride = (<usize>block) << 2;
  while (at < end) {
    const last = min(at + stride, end);
    let low = v128.load(sums);
    let high = v128.load(sums, 16);
    while (at < last) {
      const stop = min(at + MOST_SUMMED, last);
      const added = weighted ? weightedSums(at, stop) : plainSums(at, stop);
      low = f64x2.add(low, f64x2.convert_low_i32x4_u(added));
      high = f64x2.add(high, f64x2.convert_low_i32x4_u(v128.shuffle<i64>(added, added, 1, 1)));
      at = stop;
    }
    v128.store(sums, low);
    v128.store(sums, high, 16);
    sums += BLOCK_SUM_BYTES;
  }
}

/** One pixel as four i32. */
// @inline
function channels(at: usize): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)));
}

function plainSums(at: usize, end: usize): v128 {
  const even = v128.load(EVEN_BYTES);
  let total = i64x2.splat(0);
  while (at + 16 <= end) {
    // 256 sums of bytes fit into 16 bits: 1024 pixels, 4 per vector.
    const stop = min(end, at + 4096);
    let rb = i64x2.splat(0);
    let ga = i64x2.splat(0);
    for (; at + 16 <= stop; at += 16) {
      const pixels = v128.load(at);
      rb = i16x8.add(rb, v128.and(pixels, even));
      ga = i16x8.add(ga, i16x8.shr_u(pixels, 8));
    }
    // R B R B … and G A G A … to R G B A.
    const low = v128.shuffle<i16>(rb, ga, 0, 8, 1, 9, 2, 10, 3, 11);
    const high = v128.shuffle<i16>(rb, ga, 4, 12, 5, 13, 6, 14, 7, 15);
    total = i32x4.add(total, i32x4.add(i32x4.extend_low_i16x8_u(low), i32x4.extend_high_i16x8_u(low)));
    total = i32x4.add(total, i32x4.add(i32x4.extend_low_i16x8_u(high), i32x4.extend_high_i16x8_u(high)));
  }
  for (; at < end; at += 4) total = i32x4.add(total, channels(at));
  return total;
}

function weightedSums(at: usize, end: usize): v128 {
  const lowAlpha = v128.load(ALPHA_LOW);
  let total = i64x2.splat(0);
  let alphas: u32 = 0;
  for (; at + 8 <= end; at += 8) {
    const pixels = v128.load64_zero(at);
    const wide = i16x8.extend_low_i8x16_u(pixels);
    const products = i16x8.mul(wide, i8x16.swizzle(pixels, lowAlpha));
    total = i32x4.add(total, i32x4.extend_low_i16x8_u(products));
    total = i32x4.add(total, i32x4.extend_high_i16x8_u(products));
    alphas += <u32>load<u8>(at, 3) + <u32>load<u8>(at, 7);
  }
  for (; at < end; at += 4) {
    const alpha = <u32>load<u8>(at, 3);
    total = i32x4.add(total, i32x4.mul(channels(at), i32x4.splat(alpha)));
    alphas += alpha;
  }
  return i32x4.replace_lane(total, 3, alphas);
}
