/**
 * Converts RGB of one colour space to codes of another: a curve for each channel, a 3 × 3 matrix in linear
 * light, one curve for all. Tables have what each channel's code adds to the three results, so that a pixel
 * takes three loads and two additions.
 */

import { CHANNEL_TABLE_BYTES, FRACTION_BITS, LIGHT_STEPS } from './constants';

/** Looks up the codes of three lanes of steps, clipped to black and white, and adds the alpha of `alpha`. */
// @inline
export function coded(steps: v128, codes: usize, alpha: u32): u32 {
  const inside = i32x4.min_s(i32x4.max_s(steps, i64x2.splat(0)), i32x4.splat(LIGHT_STEPS));
  const red = <u32>load<u8>(codes + <usize>i32x4.extract_lane(inside, 0));
  const green = <u32>load<u8>(codes + <usize>i32x4.extract_lane(inside, 1));
  const blue = <u32>load<u8>(codes + <usize>i32x4.extract_lane(inside, 2));
  return alpha | red | (green << 8) | (blue << 16);
}

/**
 * Converts `count` RGBA pixels in place; alpha stays.
 * @param tables for each code of red, then green, then blue: what it adds to red, green, blue (i32,
 * FRACTION_BITS), one i32 unused
 * @param codes LIGHT_STEPS + 1 bytes
 */
export function colourPixels(at: usize, count: i32, tables: usize, codes: usize): void {
  const greens = tables + CHANNEL_TABLE_BYTES;
  const blues = greens + CHANNEL_TABLE_BYTES;
  const end = at + ((<usize>count) << 2);
  for (; at < end; at += 4) {
    const pixel = load<u32>(at);
    const sum = i32x4.add(
      i32x4.add(
        v128.load(tables + <usize>((pixel << 4) & 0xff0)),
        v128.load(greens + <usize>((pixel >>> 4) & 0xff0)),
      ),
      v128.load(blues + <usize>((pixel >>> 12) & 0xff0)),
    );
    store<u32>(at, coded(i32x4.shr_s(sum, FRACTION_BITS), codes, pixel & 0xff000000));
  }
}

/**
 * Converts `count` pixels of 16-bit RGBA (native byte order) at `from` to 8-bit RGBA at `to`; alpha keeps its
 * high byte.
 * @param red address of CODES_16 f32: linear light of each code of red; `green`, `blue` likewise
 * @param columns three times four f32: what one of linear red, green, blue adds to red, green, blue, in steps
 */
export function colourPixels16(
  from: usize,
  to: usize,
  count: i32,
  red: usize,
  green: usize,
  blue: usize,
  columns: usize,
  codes: usize,
): void {
  const redColumn = v128.load(columns);
  const greenColumn = v128.load(columns, 16);
  const blueColumn = v128.load(columns, 32);
  const half = f32x4.splat(0.5);
  const end = to + ((<usize>count) << 2);
  for (; to < end; to += 4, from += 8) {
    const sum = f32x4.add(
      f32x4.add(
        f32x4.mul(v128.load32_splat(red + ((<usize>load<u16>(from)) << 2)), redColumn),
        f32x4.mul(v128.load32_splat(green + ((<usize>load<u16>(from, 2)) << 2)), greenColumn),
      ),
      f32x4.add(f32x4.mul(v128.load32_splat(blue + ((<usize>load<u16>(from, 4)) << 2)), blueColumn), half),
    );
    store<u32>(to, coded(i32x4.trunc_sat_f32x4_s(sum), codes, (<u32>load<u8>(from, 7)) << 24));
  }
}
