/**
 * Samples to RGBA as libwebp does it: chroma is enlarged by a triangle filter ("fancy upsampling"), and
 * limited-range Rec. 601 becomes RGB by
 *
 *   R = (⌊19077 Y / 256⌋ + ⌊26149 V / 256⌋ − 14234) / 64
 *   G = (⌊19077 Y / 256⌋ − ⌊6419 U / 256⌋ − ⌊13320 V / 256⌋ + 8708) / 64
 *   B = (⌊19077 Y / 256⌋ + ⌊33050 U / 256⌋ − 17685) / 64
 *
 * (libwebp, src/dsp/yuv.h). Sixteen pixels at a time, the even ones apart from the odd ones.
 */

/**
 * Each factor is 256 × whole + part, so that ⌊factor × x / 256⌋ = whole × x + ⌊part × x / 256⌋ fits into 16
 * bits. Each stands eight times.
 */
const FACTORS: usize = memory.data<i16>(
  [
    74, 74, 74, 74, 74, 74, 74, 74, 133, 133, 133, 133, 133, 133, 133, 133, 102, 102, 102, 102, 102, 102, 102,
    102, 37, 37, 37, 37, 37, 37, 37, 37, 25, 25, 25, 25, 25, 25, 25, 25, 19, 19, 19, 19, 19, 19, 19, 19, 52,
    52, 52, 52, 52, 52, 52, 52, 129, 129, 129, 129, 129, 129, 129, 129, 26, 26, 26, 26, 26, 26, 26, 26,
  ],
  16,
);
const Y_FACTOR: usize = 0;
const RED_V_FACTOR: usize = 32;
const GREEN_U_FACTOR: usize = 64;
/** For this factor the part is 8, so a shift does it. */
const GREEN_V_FACTOR: usize = 96;
const BLUE_U_FACTOR: usize = 112;

const OFFSETS: usize = memory.data<i16>(
  [
    14234, 14234, 14234, 14234, 14234, 14234, 14234, 14234, 8708, 8708, 8708, 8708, 8708, 8708, 8708, 8708,
    17685, 17685, 17685, 17685, 17685, 17685, 17685, 17685,
  ],
  16,
);
const EVEN_BYTES: usize = memory.data<i16>([255, 255, 255, 255, 255, 255, 255, 255], 16);
const EIGHTS: usize = memory.data<i16>([8, 8, 8, 8, 8, 8, 8, 8], 16);

// @inline
function scaled(x: v128, factor: usize): v128 {
  const whole = i16x8.mul(x, v128.load(FACTORS + factor));
  return i16x8.add(whole, i16x8.shr_u(i16x8.mul(x, v128.load(FACTORS + factor, 16)), 8));
}

// @inline
function red(luma: v128, v: v128): v128 {
  return i16x8.shr_s(i16x8.sub(i16x8.add(luma, scaled(v, RED_V_FACTOR)), v128.load(OFFSETS)), 6);
}

// @inline
function green(luma: v128, u: v128, v: v128): v128 {
  const byV = i16x8.add(i16x8.mul(v, v128.load(FACTORS + GREEN_V_FACTOR)), i16x8.shr_u(v, 5));
  const rest = i16x8.sub(i16x8.sub(luma, scaled(u, GREEN_U_FACTOR)), byV);
  return i16x8.shr_s(i16x8.add(rest, v128.load(OFFSETS, 16)), 6);
}

/** Blue: the only sum that needs unsigned 16 bits. */
// @inline
function blue(luma: v128, u: v128): v128 {
  const sum = i16x8.add(luma, scaled(u, BLUE_U_FACTOR));
  return i16x8.shr_u(i16x8.sub_sat_u(sum, v128.load(OFFSETS, 32)), 6);
}

/** Eight sums of three times the nearer row and once the other. */
// @inline
function blended(near: usize, far: usize): v128 {
  const own = v128.load8x8_u(near);
  return i16x8.add(i16x8.add(i16x8.add(own, own), own), v128.load8x8_u(far));
}

/** Blends three parts of the sample itself with one of its neighbour, in sixteenths. */
// @inline
function towards(own: v128, neighbour: v128): v128 {
  return i16x8.shr_u(i16x8.add(own, neighbour), 4);
}

// @inline
function threefold(samples: v128): v128 {
  return i16x8.add(i16x8.add(i16x8.add(samples, samples), samples), v128.load(EIGHTS));
}

// @inline
function leftOf(before: v128, samples: v128): v128 {
  return v128.shuffle<i16>(before, samples, 7, 8, 9, 10, 11, 12, 13, 14);
}

// @inline
function rightOf(samples: v128, after: v128): v128 {
  return v128.shuffle<i16>(samples, after, 1, 2, 3, 4, 5, 6, 7, 8);
}

/**
 * Makes one row of opaque pixels. Writes groups of sixteen: up to 60 bytes past the row's end.
 * @param luma the row's luma samples
 * @param near, far the nearer and the farther chroma row: 8 samples of U and 8 of V alternately, with a copy
 * of the last sample after it
 */
export function colourRow(to: usize, width: i32, luma: usize, near: usize, far: usize): void {
  const end = to + ((<usize>width) << 2);
  let u = blended(near, far);
  let v = blended(near + 8, far + 8);
  let uBefore = i16x8.splat(<i16>i16x8.extract_lane_u(u, 0));
  let vBefore = i16x8.splat(<i16>i16x8.extract_lane_u(v, 0));
  while (to < end) {
    near += 16;
    far += 16;
    const uAfter = blended(near, far);
    const vAfter = blended(near + 8, far + 8);
    const ownU = threefold(u);
    const ownV = threefold(v);
    const evenU = towards(ownU, leftOf(uBefore, u));
    const oddU = towards(ownU, rightOf(u, uAfter));
    const evenV = towards(ownV, leftOf(vBefore, v));
    const oddV = towards(ownV, rightOf(v, vAfter));
    const samples = v128.load(luma);
    const even = scaled(v128.and(samples, v128.load(EVEN_BYTES)), Y_FACTOR);
    const odd = scaled(i16x8.shr_u(samples, 8), Y_FACTOR);
    storePixels(
      to,
      i8x16.narrow_i16x8_u(red(even, evenV), red(odd, oddV)),
      i8x16.narrow_i16x8_u(green(even, evenU, evenV), green(odd, oddU, oddV)),
      i8x16.narrow_i16x8_u(blue(even, evenU), blue(odd, oddU)),
    );
    uBefore = u;
    vBefore = v;
    u = uAfter;
    v = vAfter;
    luma += 16;
    to += 64;
  }
}

/** Stores sixteen opaque pixels from eight even and eight odd ones. */
// @inline
function storePixels(to: usize, reds: v128, greens: v128, blues: v128): void {
  const opaque = i8x16.splat(-1);
  const evenRg = v128.shuffle<u8>(reds, greens, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const oddRg = v128.shuffle<u8>(reds, greens, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const evenBa = v128.shuffle<u8>(blues, opaque, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const oddBa = v128.shuffle<u8>(blues, opaque, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const even0 = v128.shuffle<i16>(evenRg, evenBa, 0, 8, 1, 9, 2, 10, 3, 11);
  const even4 = v128.shuffle<i16>(evenRg, evenBa, 4, 12, 5, 13, 6, 14, 7, 15);
  const odd0 = v128.shuffle<i16>(oddRg, oddBa, 0, 8, 1, 9, 2, 10, 3, 11);
  const odd4 = v128.shuffle<i16>(oddRg, oddBa, 4, 12, 5, 13, 6, 14, 7, 15);
  v128.store(to, v128.shuffle<i32>(even0, odd0, 0, 4, 1, 5));
  v128.store(to, v128.shuffle<i32>(even0, odd0, 2, 6, 3, 7), 16);
  v128.store(to, v128.shuffle<i32>(even4, odd4, 0, 4, 1, 5), 32);
  v128.store(to, v128.shuffle<i32>(even4, odd4, 2, 6, 3, 7), 48);
}

/**
 * Stores a row's alpha into its pixels. Nothing past either row's end is touched.
 * @param alpha one byte per pixel
 */
export function storeAlpha(pixels: usize, alpha: usize, width: i32): void {
  const end = alpha + <usize>width;
  for (; alpha + 4 <= end; alpha += 4, pixels += 16) {
    const colours = v128.and(v128.load(pixels), i32x4.splat(0x00ffffff));
    const four = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(alpha)));
    v128.store(pixels, v128.or(colours, i32x4.shl(four, 24)));
  }
  for (; alpha < end; alpha++, pixels += 4) store<u8>(pixels, load<u8>(alpha), 3);
}
