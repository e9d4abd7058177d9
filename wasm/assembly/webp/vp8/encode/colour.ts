/**
 * Converts rows of RGBA to luma and halved chroma: ITU-R BT.601, limited range, 16 bits after the point, the
 * inverse of libwebp's decoder. Chroma is that of the mean colour of four pixels. Sixteen pixels at a time.
 */

/** Weights for the pairs (R, B) and (G, A) of a pixel; luma's 33059 for green is 65536 − 32477. */
const LUMA_RB: usize = memory.data<i16>([16839, 6420, 16839, 6420, 16839, 6420, 16839, 6420], 16);
const LUMA_G: usize = memory.data<i16>([-32477, 0, -32477, 0, -32477, 0, -32477, 0], 16);
export const U_RB: usize = memory.data<i16>([-9719, 28800, -9719, 28800, -9719, 28800, -9719, 28800], 16);
export const U_G: usize = memory.data<i16>([-19081, 0, -19081, 0, -19081, 0, -19081, 0], 16);
export const V_RB: usize = memory.data<i16>([28800, -4684, 28800, -4684, 28800, -4684, 28800, -4684], 16);
export const V_G: usize = memory.data<i16>([-24116, 0, -24116, 0, -24116, 0, -24116, 0], 16);
export const EVEN_BYTES: usize = memory.data<i16>([255, 255, 255, 255, 255, 255, 255, 255], 16);

const LUMA_ROUNDING: i32 = (16 << 16) + (1 << 15);
/** For sums of four. */
const CHROMA_ROUNDING: i32 = (128 << 18) + (1 << 17);

/** Sixteen pixels at the right edge, filled up with the last one. */
export const EDGE: usize = memory.data(64, 16);
/** Bytes of sixteen pixels' colours, summed in pairs. */
export const PAIRS_BYTES: usize = 64;

// @inline
export function lumaOf(rb: v128, ga: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(rb, v128.load(LUMA_RB)), i32x4.dot_i16x8_s(ga, v128.load(LUMA_G)));
  return i32x4.shr_u(i32x4.add(i32x4.add(sum, i32x4.shl(ga, 16)), i32x4.splat(LUMA_ROUNDING)), 16);
}

// @inline
function chromaOf(rb: v128, ga: v128, rbWeights: usize, gWeights: usize): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(rb, v128.load(rbWeights)),
    i32x4.dot_i16x8_s(ga, v128.load(gWeights)),
  );
  return i32x4.shr_u(i32x4.add(sum, i32x4.splat(CHROMA_ROUNDING)), 18);
}

/** Sums of the neighbours in eight pairs. */
// @inline
export function pairSums(a: v128, b: v128): v128 {
  return i16x8.add(v128.shuffle<i32>(a, b, 0, 2, 4, 6), v128.shuffle<i32>(a, b, 1, 3, 5, 7));
}

/** Converts sixteen pixels to luma and sums of pairs, which are added to those at `pairs` if `add`. */
// @inline
function takePixels(from: usize, luma: usize, pairs: usize, add: bool): void {
  const even = v128.load(EVEN_BYTES);
  const p0 = v128.load(from);
  const p1 = v128.load(from, 16);
  const p2 = v128.load(from, 32);
  const p3 = v128.load(from, 48);
  const rb0 = v128.and(p0, even);
  const rb1 = v128.and(p1, even);
  const rb2 = v128.and(p2, even);
  const rb3 = v128.and(p3, even);
  const ga0 = i16x8.shr_u(p0, 8);
  const ga1 = i16x8.shr_u(p1, 8);
  const ga2 = i16x8.shr_u(p2, 8);
  const ga3 = i16x8.shr_u(p3, 8);
  v128.store(
    luma,
    i8x16.narrow_i16x8_u(
      i16x8.narrow_i32x4_u(lumaOf(rb0, ga0), lumaOf(rb1, ga1)),
      i16x8.narrow_i32x4_u(lumaOf(rb2, ga2), lumaOf(rb3, ga3)),
    ),
  );
  let rbLow = pairSums(rb0, rb1);
  let gaLow = pairSums(ga0, ga1);
  let rbHigh = pairSums(rb2, rb3);
  let gaHigh = pairSums(ga2, ga3);
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
 * Converts a row to luma, with the last sample repeated up to a multiple of 16, and sums its colours in
 * pairs: 64 bytes for 16 pixels.
 * @param add add the sums to those of the row before
 */
export function takeColours(from: usize, width: i32, luma: usize, pairs: usize, add: bool): void {
  const whole = from + ((<usize>(width & ~15)) << 2);
  for (; from < whole; from += 64) {
    takePixels(from, luma, pairs, add);
    luma += 16;
    pairs += PAIRS_BYTES;
  }
  if (fillEdge(from, width & 15)) takePixels(EDGE, luma, pairs, add);
}

/** Copies the last pixels of a row, fewer than 16, to EDGE. @returns whether there are any */
export function fillEdge(from: usize, count: i32): bool {
  if (count === 0) return false;
  const rest = <usize>count;
  memory.copy(EDGE, from, rest << 2);
  const last = load<u32>(from + ((rest - 1) << 2));
  for (let i = rest; i < 16; i++) store<u32>(EDGE + (i << 2), last);
  return true;
}

/** Doubles the sums of a row with no row below. */
export function doublePairs(pairs: usize, columns: i32): void {
  const end = pairs + <usize>columns * PAIRS_BYTES;
  for (; pairs < end; pairs += 16) v128.store(pairs, i16x8.shl(v128.load(pairs), 1));
}

/** Converts sums of four pixels to chroma, 8 samples of U and 8 of V alternately. */
export function chromaRow(pairs: usize, columns: i32, chroma: usize): void {
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
