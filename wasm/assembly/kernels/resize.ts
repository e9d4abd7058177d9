/**
 * Separable shrinking of premultiplied RGBA: rows are narrowed into a rolling window, which is then blended.
 */

/**
 * Shuffle that puts two pixels' channels side by side as i16 pairs: r0 r1, g0 g1, b0 b1, a0 a1; for pixels 0
 * and 1, then 2 and 3.
 */
const PAIRS: usize = memory.data<u8>(
  [
    0, 128, 4, 128, 1, 128, 5, 128, 2, 128, 6, 128, 3, 128, 7, 128, 8, 128, 12, 128, 9, 128, 13, 128, 10, 128,
    14, 128, 11, 128, 15, 128,
  ],
  16,
);
/** Halves of 2^8 and of 2^20. */
const HALVES: usize = memory.data<i32>([128, 128, 128, 128, 524288, 524288, 524288, 524288], 16);

/**
 * Spreads one row of `width` pixels into pairs of 16 bytes. Up to 3 pixels past the row are read and written.
 */
function spreadRow(from: usize, width: i32, to: usize): void {
  const low = v128.load(PAIRS);
  const high = v128.load(PAIRS, 16);
  const end = from + ((<usize>width) << 2);
  for (; from < end; from += 16) {
    const pixels = v128.load(from);
    v128.store(to, i8x16.swizzle(pixels, low));
    v128.store(to, i8x16.swizzle(pixels, high), 16);
    to += 32;
  }
}

/**
 * Narrows one row of pixels to `width` ones, four i16 in units of 1/64 each.
 * @param fromWidth pixels of the row
 * @param pairs space for them as pairs, and for `taps` more, which are read with weight 0
 * @param starts for each narrowed pixel, where its first tap begins in the pairs, in bytes, i32
 * @param weights `taps` i16 of 2^-14 each, `taps` a multiple of 4
 */
export function narrowRow(
  from: usize,
  fromWidth: i32,
  pairs: usize,
  to: usize,
  width: i32,
  starts: usize,
  weights: usize,
  taps: i32,
): void {
  spreadRow(from, fromWidth, pairs);
  const half = v128.load(HALVES);
  const weightBytes = (<usize>taps) << 1;
  const end = starts + ((<usize>width) << 2);
  for (; starts < end; starts += 4) {
    let at = pairs + <usize>load<i32>(starts);
    let sum = half;
    let other = i64x2.splat(0);
    const weightsEnd = weights + weightBytes;
    for (; weights < weightsEnd; weights += 8) {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(at), v128.load32_splat(weights)));
      other = i32x4.add(other, i32x4.dot_i16x8_s(v128.load(at, 16), v128.load32_splat(weights, 4)));
      at += 32;
    }
    const narrowed = i32x4.shr_s(i32x4.add(sum, other), 8);
    v128.store64_lane(to, i16x8.narrow_i32x4_s(narrowed, narrowed), 0);
    to += 8;
  }
}

/**
 * Blends one row of `width` pixels from `taps` narrowed rows.
 * @param rows their addresses, u32; `taps` is even
 * @param weights i16 of 2^-14
 * @param width rows are read, and `to` is written, up to 3 pixels past it
 */
export function blendRows(rows: usize, weights: usize, taps: i32, to: usize, width: i32, opaque: bool): void {
  const half = v128.load(HALVES, 16);
  const bytes = (<usize>width) << 3;
  const rowsEnd = rows + ((<usize>taps) << 2);
  for (let offset: usize = 0; offset < bytes; offset += 32) {
    let s0 = half;
    let s1 = half;
    let s2 = half;
    let s3 = half;
    let weight = weights;
    for (let row = rows; row < rowsEnd; row += 8) {
      const above = <usize>load<u32>(row) + offset;
      const below = <usize>load<u32>(row, 4) + offset;
      const pair = v128.load32_splat(weight);
      const a0 = v128.load(above);
      const b0 = v128.load(below);
      const a1 = v128.load(above, 16);
      const b1 = v128.load(below, 16);
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.shuffle<i16>(a0, b0, 0, 8, 1, 9, 2, 10, 3, 11), pair));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.shuffle<i16>(a0, b0, 4, 12, 5, 13, 6, 14, 7, 15), pair));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v128.shuffle<i16>(a1, b1, 0, 8, 1, 9, 2, 10, 3, 11), pair));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v128.shuffle<i16>(a1, b1, 4, 12, 5, 13, 6, 14, 7, 15), pair));
      weight += 4;
    }
    if (opaque) {
      v128.store(
        to + (offset >> 1),
        i8x16.narrow_i16x8_u(
          i16x8.narrow_i32x4_s(i32x4.shr_s(s0, 20), i32x4.shr_s(s1, 20)),
          i16x8.narrow_i32x4_s(i32x4.shr_s(s2, 20), i32x4.shr_s(s3, 20)),
        ),
      );
    } else {
      v128.store(
        to + (offset >> 1),
        i8x16.narrow_i16x8_u(
          i16x8.narrow_i32x4_s(divided(s0), divided(s1)),
          i16x8.narrow_i32x4_s(divided(s2), divided(s3)),
        ),
      );
    }
  }
}

/**
 * Converts one pixel in units of 2^-20 of a level, with a half already added: divides its colours by alpha,
 * and returns them with the alpha.
 */
// @inline
function divided(sum: v128): v128 {
  const exact = i32x4.sub(sum, v128.load(HALVES, 16));
  const alpha = i32x4.extract_lane(exact, 3);
  // Rounded to 0, as clamping alpha to a byte would: the pixel is invisible.
  if (alpha < 524288) return i64x2.splat(0);
  const scale: f32 = <f32>255 / <f32>alpha;
  const colours = f32x4.mul(f32x4.convert_i32x4_s(exact), f32x4.splat(scale));
  const rounded = i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.max(colours, f32x4.splat(0)), f32x4.splat(0.5)));
  const level = min((alpha + 524288) >> 20, 255);
  return i32x4.replace_lane(rounded, 3, level);
}
