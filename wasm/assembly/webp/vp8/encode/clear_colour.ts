/**
 * Like colour.ts, for pixels with alpha: chroma is that of the mean colour weighted by alpha, so that barely
 * visible pixels barely count. The colour of a pixel with alpha 0 does not count at all.
 */
import { EDGE, EVEN_BYTES, fillEdge, lumaOf, PAIRS_BYTES, pairSums, U_G, U_RB, V_G, V_RB } from './colour';

/** Products of colours and alpha are divided by 2^3, so that sums of four fit into signed 16 bits. */
const SHIFT: i32 = 3;
/** Factor in alpha's place, which keeps its sum as it is. */
const ALPHA_FACTOR: i32 = 8 << 16;
/** Factor for a sum of weighted products, which is also divided by the sum of alpha. */
const SCALE: f32 = 8.0 / 65536;
const MIDDLE: f32 = 128.5;

/** Four pixels' red and blue, multiplied by their alpha. */
// @inline
function weighedRb(pixels: v128, alpha: v128): v128 {
  const colours = v128.and(pixels, v128.load(EVEN_BYTES));
  return i16x8.shr_u(i16x8.mul(colours, v128.or(alpha, i32x4.shl(alpha, 16))), SHIFT);
}

/** Four pixels' green, multiplied by their alpha; and alpha. */
// @inline
function weighedG(pixels: v128, alpha: v128): v128 {
  const colours = i16x8.shr_u(pixels, 8);
  return i16x8.shr_u(i16x8.mul(colours, v128.or(alpha, i32x4.splat(ALPHA_FACTOR))), SHIFT);
}

/** Four pixels, black where alpha is 0. */
// @inline
function shown(pixels: v128, alpha: v128): v128 {
  return v128.andnot(pixels, i32x4.eq(alpha, i64x2.splat(0)));
}

// @inline
function lumaOfFour(pixels: v128): v128 {
  return lumaOf(v128.and(pixels, v128.load(EVEN_BYTES)), i16x8.shr_u(pixels, 8));
}

/** Converts sixteen pixels to luma, alpha and sums of pairs, which are added to those at `pairs` if `add`. */
function takePixels(from: usize, luma: usize, alpha: usize, pairs: usize, add: bool): void {
  const a0 = i32x4.shr_u(v128.load(from), 24);
  const a1 = i32x4.shr_u(v128.load(from, 16), 24);
  const a2 = i32x4.shr_u(v128.load(from, 32), 24);
  const a3 = i32x4.shr_u(v128.load(from, 48), 24);
  v128.store(alpha, i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_u(a0, a1), i16x8.narrow_i32x4_u(a2, a3)));
  const p0 = shown(v128.load(from), a0);
  const p1 = shown(v128.load(from, 16), a1);
  const p2 = shown(v128.load(from, 32), a2);
  const p3 = shown(v128.load(from, 48), a3);
  v128.store(
    luma,
    i8x16.narrow_i16x8_u(
      i16x8.narrow_i32x4_u(lumaOfFour(p0), lumaOfFour(p1)),
      i16x8.narrow_i32x4_u(lumaOfFour(p2), lumaOfFour(p3)),
    ),
  );
  let rbLow = pairSums(weighedRb(p0, a0), weighedRb(p1, a1));
  let gaLow = pairSums(weighedG(p0, a0), weighedG(p1, a1));
  let rbHigh = pairSums(weighedRb(p2, a2), weighedRb(p3, a3));
  let gaHigh = pairSums(weighedG(p2, a2), weighedG(p3, a3));
  if (add) {
    rbLow = i16x8.add(rbLow, v128.load(pairs));
    gaLow = i16x8.add(gaLow, v128.load(pairs, 16));
    rbHigh = i16x8.add(rbHigh, v128.load(pairs, 32));
    gaHigh = i16x8.add(gaHigh, v128.load(pairs, 48));
  }
  v128.store(pairs, rbLow);
  v128.store(pairs, gaLow, 16);
  v128.store(pairs, rbHigh, 32);
  v128.store(pairs, gaHigh, 48);
}

/**
 * Like takeColours in colour.ts.
 * @param alpha receives the row's alpha, the last one repeated as luma's is
 */
export function takeClearColours(
  from: usize,
  width: i32,
  luma: usize,
  alpha: usize,
  pairs: usize,
  add: bool,
): void {
  const whole = from + ((<usize>(width & ~15)) << 2);
  for (; from < whole; from += 64) {
    takePixels(from, luma, alpha, pairs, add);
    luma += 16;
    alpha += 16;
    pairs += PAIRS_BYTES;
  }
  if (fillEdge(from, width & 15)) takePixels(EDGE, luma, alpha, pairs, add);
}

// @inline
function chromaOf(rb: v128, ga: v128, rbWeights: usize, gWeights: usize): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(rb, v128.load(rbWeights)),
    i32x4.dot_i16x8_s(ga, v128.load(gWeights)),
  );
  const alpha = f32x4.convert_i32x4_u(i32x4.max_u(i32x4.shr_u(ga, 16), i32x4.splat(1)));
  const difference = f32x4.div(f32x4.mul(f32x4.convert_i32x4_s(sum), f32x4.splat(SCALE)), alpha);
  return i32x4.trunc_sat_f32x4_u(f32x4.add(difference, f32x4.splat(MIDDLE)));
}

/** Like chromaRow in colour.ts. Where all alpha is 0, chroma is the middle value. */
export function clearChromaRow(pairs: usize, columns: i32, chroma: usize): void {
  const end = chroma + ((<usize>columns) << 4);
  for (; chroma < end; chroma += 16) {
    const rbLow = v128.load(pairs);
    const gaLow = v128.load(pairs, 16);
    const rbHigh = v128.load(pairs, 32);
    const gaHigh = v128.load(pairs, 48);
    const u = i16x8.narrow_i32x4_u(chromaOf(rbLow, gaLow, U_RB, U_G), chromaOf(rbHigh, gaHigh, U_RB, U_G));
    const v = i16x8.narrow_i32x4_u(chromaOf(rbLow, gaLow, V_RB, V_G), chromaOf(rbHigh, gaHigh, V_RB, V_G));
    v128.store(chroma, i8x16.narrow_i16x8_u(u, v));
    pairs += PAIRS_BYTES;
  }
}
