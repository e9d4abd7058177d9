/**
 * Converts rows of components to rows of RGBA. YCbCr is ITU-T T.871 section 7 (full-range Rec. 601) with the
 * roundings of the IJG's jdcolor.c, sixteen pixels at a time. Rows may be written up to 15 pixels past their
 * end.
 */
import {
  COLOUR_CMYK,
  COLOUR_GREY,
  COLOUR_INVERTED_CMYK,
  COLOUR_INVERTED_YCCK,
  COLOUR_RGB,
  COLOUR_YCBCR,
} from './constants';
import { KEPT_CMYK, KEPT_INVERTED_CMYK, KEPT_INVERTED_YCCK } from './state';

/**
 * Red is Y + Cr + 0.402 Cr and blue is Y + 2 Cb − 0.228 Cb, with the fractions in Q15: equal to the rounded
 * 16.16 products of jdcolor.c for all 256 values. Green is Y + (−0.34414 Cb + 0.28586 Cr) − Cr, with the
 * bracket rounded in 16.16.
 */
const CONSTANTS: usize = memory.data<i16>(
  [
    13174, 13174, 13174, 13174, 13174, 13174, 13174, 13174, -7471, -7471, -7471, -7471, -7471, -7471, -7471,
    -7471, -22554, 18734, -22554, 18734, -22554, 18734, -22554, 18734, 128, 128, 128, 128, 128, 128, 128, 128,
    -1, -1, -1, -1, -1, -1, -1, -1,
  ],
  16,
);
const HALF: usize = memory.data<i32>([32768, 32768, 32768, 32768], 16);

/** Interleaves four rows of sixteen samples into 64 bytes of pixels. */
// @inline
function storePixels(to: usize, red: v128, green: v128, blue: v128, alpha: v128): void {
  const rg0 = v128.shuffle<u8>(red, green, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const rg8 = v128.shuffle<u8>(red, green, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const ba0 = v128.shuffle<u8>(blue, alpha, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ba8 = v128.shuffle<u8>(blue, alpha, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  v128.store(to, v128.shuffle<i16>(rg0, ba0, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, v128.shuffle<i16>(rg0, ba0, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  v128.store(to, v128.shuffle<i16>(rg8, ba8, 0, 8, 1, 9, 2, 10, 3, 11), 32);
  v128.store(to, v128.shuffle<i16>(rg8, ba8, 4, 12, 5, 13, 6, 14, 7, 15), 48);
}

// @inline
function green(cb: v128, cr: v128): v128 {
  const factors = v128.load(CONSTANTS, 32);
  const half = v128.load(HALF);
  const low = i32x4.dot_i16x8_s(v128.shuffle<i16>(cb, cr, 0, 8, 1, 9, 2, 10, 3, 11), factors);
  const high = i32x4.dot_i16x8_s(v128.shuffle<i16>(cb, cr, 4, 12, 5, 13, 6, 14, 7, 15), factors);
  const sum = i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(low, half), 16),
    i32x4.shr_s(i32x4.add(high, half), 16),
  );
  return i16x8.sub(sum, cr);
}

function yCbCrRow(to: usize, width: i32, y: usize, cb: usize, cr: usize): void {
  const end = to + ((<usize>width) << 2);
  const centre = v128.load(CONSTANTS, 48);
  const opaque = v128.load(CONSTANTS, 64);
  while (to < end) {
    const luma = v128.load(y);
    const blueDifference = v128.load(cb);
    const redDifference = v128.load(cr);
    const y0 = i16x8.extend_low_i8x16_u(luma);
    const y8 = i16x8.extend_high_i8x16_u(luma);
    const cb0 = i16x8.sub(i16x8.extend_low_i8x16_u(blueDifference), centre);
    const cb8 = i16x8.sub(i16x8.extend_high_i8x16_u(blueDifference), centre);
    const cr0 = i16x8.sub(i16x8.extend_low_i8x16_u(redDifference), centre);
    const cr8 = i16x8.sub(i16x8.extend_high_i8x16_u(redDifference), centre);
    const redFactor = v128.load(CONSTANTS);
    const red = i8x16.narrow_i16x8_u(
      i16x8.add(i16x8.add(y0, cr0), i16x8.q15mulr_sat_s(cr0, redFactor)),
      i16x8.add(i16x8.add(y8, cr8), i16x8.q15mulr_sat_s(cr8, redFactor)),
    );
    const blueFactor = v128.load(CONSTANTS, 16);
    const blue = i8x16.narrow_i16x8_u(
      i16x8.add(i16x8.add(y0, i16x8.add(cb0, cb0)), i16x8.q15mulr_sat_s(cb0, blueFactor)),
      i16x8.add(i16x8.add(y8, i16x8.add(cb8, cb8)), i16x8.q15mulr_sat_s(cb8, blueFactor)),
    );
    const greens = i8x16.narrow_i16x8_u(i16x8.add(y0, green(cb0, cr0)), i16x8.add(y8, green(cb8, cr8)));
    storePixels(to, red, greens, blue, opaque);
    to += 64;
    y += 16;
    cb += 16;
    cr += 16;
  }
}

function rgbRow(to: usize, width: i32, red: usize, green: usize, blue: usize): void {
  const end = to + ((<usize>width) << 2);
  const opaque = v128.load(CONSTANTS, 64);
  while (to < end) {
    storePixels(to, v128.load(red), v128.load(green), v128.load(blue), opaque);
    to += 64;
    red += 16;
    green += 16;
    blue += 16;
  }
}

/** a × b / 255, rounded to nearest; exact for bytes. */
// @inline
function scaled(a: i32, b: i32): i32 {
  const product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}

/**
 * Multiplies pixels by the black row in place: R = C' × K' / 255, where C' and K' are the light left over
 * (255 = no ink). This is the plain conversion, without a colour profile.
 * @param inkMask 255 where the stored colours are ink (255 = full), else 0
 * @param blackMask the same for the black row
 */
function applyBlack(to: usize, width: i32, black: usize, inkMask: i32, blackMask: i32): void {
  for (let x = 0; x < width; x++) {
    const k = <i32>load<u8>(black + x) ^ blackMask;
    store<u8>(to, scaled(<i32>load<u8>(to) ^ inkMask, k));
    store<u8>(to, scaled(<i32>load<u8>(to, 1) ^ inkMask, k), 1);
    store<u8>(to, scaled(<i32>load<u8>(to, 2) ^ inkMask, k), 2);
    to += 4;
  }
}

/** CMYK, four samples per pixel. @param invert 0xff where full ink is stored as 0, else 0 */
function cmykRow(
  to: usize,
  width: i32,
  row0: usize,
  row1: usize,
  row2: usize,
  row3: usize,
  invert: u8,
): void {
  const end = to + ((<usize>width) << 2);
  const mask = i8x16.splat(invert);
  for (let x: usize = 0; to < end; to += 64, x += 16) {
    storePixels(
      to,
      v128.xor(v128.load(row0 + x), mask),
      v128.xor(v128.load(row1 + x), mask),
      v128.xor(v128.load(row2 + x), mask),
      v128.xor(v128.load(row3 + x), mask),
    );
  }
}

/** Stores black in place of alpha, from a row where full ink is 0. */
function storeBlack(to: usize, width: i32, black: usize): void {
  for (let x = 0; x < width; x++) store<u8>(to + ((<usize>x) << 2), ~load<u8>(black + x), 3);
}

/**
 * Makes one row of `width` pixels from full-size component rows (as many as the model has).
 * @param model a COLOUR of constants.ts or a KEPT model of state.ts
 */
export function colourRow(
  model: i32,
  to: usize,
  width: i32,
  row0: usize,
  row1: usize,
  row2: usize,
  row3: usize,
): void {
  switch (model) {
    case COLOUR_GREY:
      rgbRow(to, width, row0, row0, row0);
      break;
    case COLOUR_YCBCR:
      yCbCrRow(to, width, row0, row1, row2);
      break;
    case COLOUR_RGB:
      rgbRow(to, width, row0, row1, row2);
      break;
    case COLOUR_CMYK:
      rgbRow(to, width, row0, row1, row2);
      applyBlack(to, width, row3, 255, 255);
      break;
    case COLOUR_INVERTED_CMYK:
      rgbRow(to, width, row0, row1, row2);
      applyBlack(to, width, row3, 0, 0);
      break;
    case COLOUR_INVERTED_YCCK:
      // The first three are R'G'B' = 255 − C'M'Y', stored as YCbCr (Adobe TN 5116, section 18).
      yCbCrRow(to, width, row0, row1, row2);
      applyBlack(to, width, row3, 255, 0);
      break;
    case KEPT_CMYK:
      cmykRow(to, width, row0, row1, row2, row3, 0);
      break;
    case KEPT_INVERTED_CMYK:
      cmykRow(to, width, row0, row1, row2, row3, 0xff);
      break;
    case KEPT_INVERTED_YCCK:
      // Converted as YCbCr, the first three are 255 − C'M'Y', which is CMY.
      yCbCrRow(to, width, row0, row1, row2);
      storeBlack(to, width, row3);
      break;
  }
}
