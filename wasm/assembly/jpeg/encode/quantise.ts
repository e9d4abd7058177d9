/** Quantisation tables and their exact division by multiplication. */

/**
 * ITU-T T.81 Table K.1 (luminance), natural order, flattened: each b is b^0.8 · 30^0.2. Choosing levels by
 * their bits (trellis.ts) makes detail coarser already: docs/decisions/0028-jpeg-levels-by-their-bits.md
 */
const LUMA: usize = memory.data<u8>([
  18, 13, 12, 18, 25, 38, 46, 53, 14, 14, 16, 21, 27, 51, 52, 49, 16, 15, 18, 25, 38, 50, 58, 49, 16, 19, 23,
  29, 46, 70, 66, 54, 20, 23, 35, 49, 58, 84, 80, 64, 25, 34, 49, 55, 66, 81, 87, 74, 44, 55, 64, 70, 80, 92,
  91, 79, 60, 74, 75, 77, 86, 79, 80, 78,
]);

/** ITU-T T.81 Table K.2 (chrominance), natural order, flattened: b^0.7 · 30^0.3. */
const CHROMA: usize = memory.data<u8>([
  20, 21, 26, 41, 69, 69, 69, 69, 21, 23, 27, 52, 69, 69, 69, 69, 26, 27, 46, 69, 69, 69, 69, 69, 41, 52, 69,
  69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69, 69,
  69, 69, 69, 69, 69, 69, 69, 69, 69, 69,
]);

/** T.81 Figure A.6: the natural place of each zigzag place. */
export const NATURAL: usize = memory.data<u8>([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
]);

/**
 * Multipliers (64 i16), powers (64 i16), then the table itself (64 bytes), all in natural order; in zigzag
 * order what a coefficient of the FDCT is multiplied by to count steps (64 f32), and what the square of an
 * error in steps weighs, in bits (64 f32).
 */
export const QUANT_BYTES: usize = 832;
const POWERS: usize = 128;
export const QUANT_STEPS: usize = 256;
export const INVERSES: usize = 320;
export const WEIGHTS: usize = 576;

/**
 * Bits that an error of one step is worth, on average of a table. A finer quantiser takes one bit more for a
 * quarter of the error's square, d²/12 of a step d: 8.7 bits for d². Measured, 14 is best for PSNR and
 * SSIMULACRA 2.
 */
const MEAN_WEIGHT: f32 = 14;

/**
 * Fills a table for a quality of 1 to 100, by the IJG's scaling (jcparam.c: 5000 / q below 50, 200 − 2q from
 * 50 up, steps kept within a byte for baseline). @param halved a sample stands for four pixels, so that its
 * error counts four times: steps are half as large
 *
 * The FDCT leaves coefficients eight times too large, so x is to be divided by d = 8 · step and rounded half
 * away from zero. With 2^j ≤ step < 2^(j+1): T = round(2x · m / 2^15), m = round(2^15 · 2^j / step), then
 * round(T / 2^(4 + j)). For |x| < 2^14 the first product is off by less than 0.5 from 2x · 2^j / step, whose
 * values at and just below a tie are more than 1 apart, so that both roundings together never move a
 * quotient. A power of two takes m = 2^14 and one bit less.
 */
export function fillQuantisation(table: usize, chroma: bool, halved: bool, quality: i32): void {
  const base = chroma ? CHROMA : LUMA;
  const scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  const whole = halved ? 200 : 100;
  for (let i: usize = 0; i < 64; i++) {
    const step = min(max((<i32>load<u8>(base + i) * scale + whole / 2) / whole, 1), 255);
    store<u8>(table + QUANT_STEPS + i, <u8>step);
    const j = 31 - clz(step);
    let multiplier = 16384;
    let shift = 3 + j;
    if ((step & (step - 1)) !== 0) {
      multiplier = ((1 << (16 + j)) / step + 1) >> 1;
      shift = 4 + j;
    }
    store<i16>(table + (i << 1), <i16>multiplier);
    store<i16>(table + POWERS + (i << 1), <i16>((<i32>1) << (15 - shift)));
  }
  fillWeights(table);
}

/**
 * Weights grow with the root of the step: by the step's square the error of the pixels would count alone, by
 * none the eye's tolerance alone, which made the table.
 */
function fillWeights(table: usize): void {
  let roots: f32 = 0;
  for (let i: usize = 0; i < 64; i++) roots += Mathf.sqrt(<f32>load<u8>(table + QUANT_STEPS + i));
  for (let place: usize = 0; place < 64; place++) {
    const step = <f32>load<u8>(table + QUANT_STEPS + <usize>load<u8>(NATURAL + place));
    store<f32>(table + (place << 2), 1 / (8 * step), INVERSES);
    store<f32>(table + (place << 2), (MEAN_WEIGHT * 64 * Mathf.sqrt(step)) / roots, WEIGHTS);
  }
}

/**
 * For each of 4 outputs of 16 zigzag places, where to take them from the 4 × 16 natural places: 16 swizzles;
 * 128 takes none.
 */
const SWIZZLES: usize = memory.data(256, 16);

/** Fills the swizzles; once a core. */
export function fillSwizzles(): void {
  memory.fill(SWIZZLES, 128, 256);
  for (let place: usize = 0; place < 64; place++) {
    const natural = <usize>load<u8>(NATURAL + place);
    const swizzle = ((place >> 4) << 2) + (natural >> 4);
    store<u8>(SWIZZLES + (swizzle << 4) + (place & 15), <u8>(natural & 15));
  }
}

/** Eight quotients. Negative T are lowered by one so that halves round away from zero. */
// @inline
function quotients(block: usize, table: usize, offset: usize, to: usize): v128 {
  const x = v128.load(block + offset);
  const doubled = i16x8.add(x, x);
  const t = i16x8.q15mulr_sat_s(doubled, v128.load(table + offset));
  const away = i16x8.add(t, i16x8.shr_s(x, 15));
  const q = i16x8.q15mulr_sat_s(away, v128.load(table + offset, POWERS));
  v128.store(to + offset, q);
  return q;
}

// @inline
function pick(rows: v128, swizzle: usize): v128 {
  return i8x16.swizzle(rows, v128.load(SWIZZLES + (swizzle << 4)));
}

/** Quantises 64 i16 to 64 at `to`. @returns one bit a zigzag place that is not zero */
// @inline
export function quantise(block: usize, table: usize, to: usize): u64 {
  const zero = i64x2.splat(0);
  // Bytes: all ones where the quotient is zero.
  const a = i8x16.eq(
    i8x16.narrow_i16x8_s(quotients(block, table, 0, to), quotients(block, table, 16, to)),
    zero,
  );
  const b = i8x16.eq(
    i8x16.narrow_i16x8_s(quotients(block, table, 32, to), quotients(block, table, 48, to)),
    zero,
  );
  const c = i8x16.eq(
    i8x16.narrow_i16x8_s(quotients(block, table, 64, to), quotients(block, table, 80, to)),
    zero,
  );
  const d = i8x16.eq(
    i8x16.narrow_i16x8_s(quotients(block, table, 96, to), quotients(block, table, 112, to)),
    zero,
  );
  const z0 = v128.or(v128.or(pick(a, 0), pick(b, 1)), pick(c, 2));
  const z1 = v128.or(v128.or(pick(a, 4), pick(b, 5)), v128.or(pick(c, 6), pick(d, 7)));
  const z2 = v128.or(v128.or(pick(a, 8), pick(b, 9)), v128.or(pick(c, 10), pick(d, 11)));
  const z3 = v128.or(v128.or(pick(b, 13), pick(c, 14)), pick(d, 15));
  const low = <u64>(<u32>i8x16.bitmask(z0) | ((<u32>i8x16.bitmask(z1)) << 16));
  const high = <u64>(<u32>i8x16.bitmask(z2) | ((<u32>i8x16.bitmask(z3)) << 16));
  return ~(low | (high << 32));
}
