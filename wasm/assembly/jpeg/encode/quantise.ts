/** Quantisation tables, and exact division by their steps through multiplication. */

/**
 * Steps at quality 50: the step of DC; then START, RISE, BEND and MOST of min(START + RISE · r + BEND · r²,
 * MOST), the step of a coefficient with frequencies u and v, where r = √(u² + v²). Found by a search for
 * SSIMULACRA 2 at 4:2:0 on twelve pictures, tried on others: docs/decisions/0028-jpeg-levels-by-their-bits.md
 */
const LUMA: usize = memory.data<f32>([9, 8, 5.6, 0.28, 255], 4);
const CHROMA: usize = memory.data<f32>([18, 13, 12.4, 0, 72], 4);

/** @param place in natural order */
function baseStep(chroma: bool, place: i32): i32 {
  const base = chroma ? CHROMA : LUMA;
  if (place === 0) return <i32>load<f32>(base);
  const u = place & 7;
  const v = place >> 3;
  const square = <f32>(u * u + v * v);
  const step = load<f32>(base, 4) + load<f32>(base, 8) * Mathf.sqrt(square) + load<f32>(base, 12) * square;
  return <i32>(min(step, load<f32>(base, 16)) + 0.5);
}

/** T.81 Figure A.6: the natural index of each zigzag place. */
export const NATURAL: usize = memory.data<u8>([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
]);

/**
 * Bytes of a table. In natural order: multipliers (64 i16), powers (64 i16), the quantisation table itself
 * (64 bytes); then what levels are chosen by: coefficients below which a one may be dropped (64 i16), and
 * those below which a two is lowered (64 i16). In zigzag order: the weight of keeping a one (64 i32), and
 * what it gains per unit of its coefficient (64 i32): see trellis.ts. Last, as f32: the weight, in bits, of a
 * DC error of one step; and how far from a half, in steps, it may be for both levels to be tried
 * (dc_trellis.ts).
 */
export const QUANT_BYTES: usize = 1096;
const POWERS: usize = 128;
export const QUANT_STEPS: usize = 256;
const ONE_LIMITS: usize = 320;
const TWO_LIMITS: usize = 448;
export const WEIGHTS: usize = 576;
export const GAINS: usize = 832;
export const DC_WEIGHT: usize = 1088;
export const DC_NEAR: usize = 1092;

/**
 * Bits that an error of one step is worth, as the mean over a table. A quantiser one bit finer reduces the
 * error's square, d²/12 for a step d, to a quarter: 8.7 bits for d². Measured, 14 to 19 are alike for PSNR
 * and SSIMULACRA 2.
 */
const MEAN_WEIGHT: f32 = 14;

/**
 * DC_SHARE: an error of DC weighs this many times as much, because it shows as bands. DC_BITS: bits that the
 * farther of its two levels may save compared with the nearer; measured, more gains nothing.
 */
const DC_SHARE: f32 = 2;
const DC_BITS: f32 = 6;

/**
 * ONE_BITS: the most bits that dropping a one is assumed to save; measured, more gains nothing and takes
 * time. TWO_BITS: bits that a two takes more than a one.
 */
const ONE_BITS: f32 = 8;
const TWO_BITS: f32 = 2.5;

/** Prices and weights are counted in this fraction of a bit. */
export const BIT: f32 = 1024;

/**
 * Fills a table for a quality of 1 to 100, scaled as the IJG does (jcparam.c: 5000 / q below 50, 200 − 2q
 * from 50 up, steps kept within a byte for baseline).
 *
 * The FDCT leaves coefficients eight times too large, so x is to be divided by d = 8 · step and rounded half
 * away from zero. With 2^j ≤ step < 2^(j+1): T = round(2x · m / 2^15), m = round(2^15 · 2^j / step), then
 * round(T / 2^(4 + j)). For |x| < 2^14 the first product differs by less than 0.5 from 2x · 2^j / step, whose
 * values at and just below a tie are more than 1 apart, so that both roundings together never change a
 * quotient. A power of two takes m = 2^14 and one bit less.
 * @param halved a sample stands for four pixels, so its error counts four times: steps are half as large
 */
export function fillQuantisation(table: usize, chroma: bool, halved: bool, quality: i32): void {
  const scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  const whole = halved ? 200 : 100;
  for (let i: usize = 0; i < 64; i++) {
    const step = min(max((baseStep(chroma, <i32>i) * scale + whole / 2) / whole, 1), 255);
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
  // Quality 100 asks for all that the format can keep, so no level is dropped or lowered.
  if (quality < 100) fillWeights(table);
  else memory.fill(table + ONE_LIMITS, 0, QUANT_BYTES - ONE_LIMITS);
}

/**
 * Weights grow with the square root of the step. With the step's square, only the error of pixels would
 * count; with no dependence, only the eye's tolerance, which shaped the table. Keeping a coefficient of e
 * steps as one instead of zero costs, beside its bits, ((e − 1)² − e²) · weight = (1 − 2e) · weight.
 */
function fillWeights(table: usize): void {
  let roots: f32 = 0;
  for (let i: usize = 0; i < 64; i++) roots += Mathf.sqrt(<f32>load<u8>(table + QUANT_STEPS + i));
  for (let place: usize = 0; place < 64; place++) {
    const natural = <usize>load<u8>(NATURAL + place);
    const step = <f32>load<u8>(table + QUANT_STEPS + natural);
    const weight = (MEAN_WEIGHT * 64 * Mathf.sqrt(step)) / roots;
    if (place === 0) {
      store<f32>(table, weight * DC_SHARE, DC_WEIGHT);
      store<f32>(table, DC_BITS / (2 * weight * DC_SHARE), DC_NEAR);
    }
    // DC's level is chosen elsewhere.
    const scale: f32 = place === 0 ? 0 : 8.0 * step;
    const one = scale * min<f32>(0.5 + ONE_BITS / (2 * weight), 1.5);
    const two = scale * (1.5 + TWO_BITS / (2 * weight));
    store<i16>(table + (natural << 1), <i16>one, ONE_LIMITS);
    store<i16>(table + (natural << 1), <i16>two, TWO_LIMITS);
    store<i32>(table + (place << 2), <i32>(weight * BIT), WEIGHTS);
    store<i32>(table + (place << 2), <i32>((weight * BIT) / (4 * step)), GAINS);
  }
}

/**
 * 16 swizzles: for each of 4 outputs of 16 zigzag places, where to take them from in each of the 4 × 16
 * natural places; 128 takes none.
 */
const SWIZZLES: usize = memory.data(256, 16);

/** Fills the swizzles; once per core. */
export function fillSwizzles(): void {
  memory.fill(SWIZZLES, 128, 256);
  for (let place: usize = 0; place < 64; place++) {
    const natural = <usize>load<u8>(NATURAL + place);
    const swizzle = ((place >> 4) << 2) + (natural >> 4);
    store<u8>(SWIZZLES + (swizzle << 4) + (place & 15), <u8>(natural & 15));
  }
}

/** Divides eight coefficients. Negative T are lowered by one so that halves round away from zero. */
// @inline
function quotients(x: v128, table: usize, at: usize): v128 {
  const doubled = i16x8.add(x, x);
  const t = i16x8.q15mulr_sat_s(doubled, v128.load(table + at));
  const away = i16x8.add(t, i16x8.shr_s(x, 15));
  return i16x8.q15mulr_sat_s(away, v128.load(table + at, POWERS));
}

/**
 * Lowers a two to a one if it is hardly more than one and a half: its extra bit costs more than that gains.
 */
// @inline
function lowered(q: v128, x: v128, exact: v128, table: usize): v128 {
  const isTwo = i16x8.eq(i16x8.abs(q), i16x8.splat(2));
  const isLess = i16x8.lt_s(exact, v128.load(table, TWO_LIMITS));
  const one = v128.or(i16x8.shr_s(x, 15), i16x8.splat(1));
  return v128.bitselect(one, q, v128.and(isTwo, isLess));
}

/**
 * Quantises 16 coefficients.
 * @returns 16 bytes: bit 7 is set where the level is zero, bits 0 to 6 where the coefficient is below
 * ONE_LIMITS
 */
// @inline
function quantiseRows(block: usize, table: usize, at: usize, to: usize): v128 {
  const x0 = v128.load(block + at);
  const x1 = v128.load(block + at, 16);
  const a0 = i16x8.abs(x0);
  const a1 = i16x8.abs(x1);
  const q0 = lowered(quotients(x0, table, at), x0, a0, table + at);
  const q1 = lowered(quotients(x1, table, at + 16), x1, a1, table + at + 16);
  v128.store(to + at, q0);
  v128.store(to + at, q1, 16);
  const below = i8x16.narrow_i16x8_s(
    i16x8.lt_s(a0, v128.load(table + at, ONE_LIMITS)),
    i16x8.lt_s(a1, v128.load(table + at, ONE_LIMITS + 16)),
  );
  const zero = i8x16.eq(i8x16.narrow_i16x8_s(q0, q1), i64x2.splat(0));
  return v128.bitselect(zero, below, i8x16.splat(-128));
}

// @inline
function pick(rows: v128, swizzle: usize): v128 {
  return i8x16.swizzle(rows, v128.load(SWIZZLES + (swizzle << 4)));
}

/** Bit 7 of four times 16 bytes. */
// @inline
function bits(z0: v128, z1: v128, z2: v128, z3: v128): u64 {
  const low = <u64>(<u32>i8x16.bitmask(z0) | ((<u32>i8x16.bitmask(z1)) << 16));
  const high = <u64>(<u32>i8x16.bitmask(z2) | ((<u32>i8x16.bitmask(z3)) << 16));
  return low | (high << 32);
}

/** For the block quantised last: one bit per zigzag place whose level is one and may be dropped. */
export let weak: u64 = 0;

/** Quantises 64 i16 to 64 at `to`. @returns one bit per zigzag place that is not zero */
// @inline
export function quantise(block: usize, table: usize, to: usize): u64 {
  const a = quantiseRows(block, table, 0, to);
  const b = quantiseRows(block, table, 32, to);
  const c = quantiseRows(block, table, 64, to);
  const d = quantiseRows(block, table, 96, to);
  const z0 = v128.or(v128.or(pick(a, 0), pick(b, 1)), pick(c, 2));
  const z1 = v128.or(v128.or(pick(a, 4), pick(b, 5)), v128.or(pick(c, 6), pick(d, 7)));
  const z2 = v128.or(v128.or(pick(a, 8), pick(b, 9)), v128.or(pick(c, 10), pick(d, 11)));
  const z3 = v128.or(v128.or(pick(b, 13), pick(c, 14)), pick(d, 15));
  const mask = ~bits(z0, z1, z2, z3);
  weak = mask & bits(i8x16.add(z0, z0), i8x16.add(z1, z1), i8x16.add(z2, z2), i8x16.add(z3, z3));
  return mask;
}
