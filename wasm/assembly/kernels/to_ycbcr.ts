/**
 * Rows of RGBA to rows of samples: ITU-T T.871 section 7 (full-range Rec. 601) with the fixed-point constants
 * and roundings of the IJG's jccolor.c, sixteen pixels at a time. Rows are read and written up to 15 pixels
 * past their end.
 */

/**
 * 16.16 weights for the pairs (R, B) and (G, A) of a pixel. Green's 38470 does not fit into 16 bits: it is
 * 65536 − 27066, with the 65536 as a shift. −32768 fits where 32768 does not, so both chroma sums are
 * computed negated.
 */
const WEIGHTS: usize = memory.data<i16>(
  [
    19595, 7471, 19595, 7471, 19595, 7471, 19595, 7471, -27066, 0, -27066, 0, -27066, 0, -27066, 0, 11059,
    -32768, 11059, -32768, 11059, -32768, 11059, -32768, 21709, 0, 21709, 0, 21709, 0, 21709, 0, -32768, 5329,
    -32768, 5329, -32768, 5329, -32768, 5329, 27439, 0, 27439, 0, 27439, 0, 27439, 0,
  ],
  16,
);
/** Half for luma; centre and just under a half for chroma (jccolor.c: CBCR_OFFSET + ONE_HALF - 1). */
const ROUNDINGS: usize = memory.data<i32>(
  [32768, 32768, 32768, 32768, 8421375, 8421375, 8421375, 8421375],
  16,
);
const EVEN_BYTES: usize = memory.data<i16>([255, 255, 255, 255, 255, 255, 255, 255], 16);

/** Luma of four pixels, from their red and blue and their green and alpha as pairs of i16; as i32. */
// @inline
export function lumaOf(rb: v128, ga: v128): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(rb, v128.load(WEIGHTS)),
    i32x4.dot_i16x8_s(ga, v128.load(WEIGHTS, 16)),
  );
  return i32x4.shr_u(i32x4.add(i32x4.add(sum, i32x4.shl(ga, 16)), v128.load(ROUNDINGS)), 16);
}

// @inline
function chromaOf(rb: v128, ga: v128, weights: usize): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(rb, v128.load(weights)),
    i32x4.dot_i16x8_s(ga, v128.load(weights, 16)),
  );
  return i32x4.shr_u(i32x4.sub(v128.load(ROUNDINGS, 16), sum), 16);
}

// @inline
function packed(a: v128, b: v128, c: v128, d: v128): v128 {
  return i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_u(a, b), i16x8.narrow_i32x4_u(c, d));
}

/** One row of `width` pixels to luma, Cb and Cr. */
export function rowToYCbCr(from: usize, width: i32, luma: usize, blue: usize, red: usize): void {
  const end = luma + <usize>width;
  while (luma < end) {
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
    v128.store(luma, packed(lumaOf(rb0, ga0), lumaOf(rb1, ga1), lumaOf(rb2, ga2), lumaOf(rb3, ga3)));
    v128.store(
      blue,
      packed(
        chromaOf(rb0, ga0, WEIGHTS + 32),
        chromaOf(rb1, ga1, WEIGHTS + 32),
        chromaOf(rb2, ga2, WEIGHTS + 32),
        chromaOf(rb3, ga3, WEIGHTS + 32),
      ),
    );
    v128.store(
      red,
      packed(
        chromaOf(rb0, ga0, WEIGHTS + 64),
        chromaOf(rb1, ga1, WEIGHTS + 64),
        chromaOf(rb2, ga2, WEIGHTS + 64),
        chromaOf(rb3, ga3, WEIGHTS + 64),
      ),
    );
    from += 64;
    luma += 16;
    blue += 16;
    red += 16;
  }
}

/** One row of grey pixels: their red is their luma. */
export function rowToGrey(from: usize, width: i32, luma: usize): void {
  const end = luma + <usize>width;
  while (luma < end) {
    const low = v128.load(EVEN_BYTES);
    const a = v128.and(v128.load(from), low);
    const b = v128.and(v128.load(from, 16), low);
    const c = v128.and(v128.load(from, 32), low);
    const d = v128.and(v128.load(from, 48), low);
    const first = v128.shuffle<i16>(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    const second = v128.shuffle<i16>(c, d, 0, 2, 4, 6, 8, 10, 12, 14);
    v128.store(luma, i8x16.narrow_i16x8_u(first, second));
    from += 64;
    luma += 16;
  }
}
