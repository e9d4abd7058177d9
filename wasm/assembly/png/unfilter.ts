/**
 * PNG filter reconstruction (ISO/IEC 15948 section 9): raw = filtered + predictor, all bytes modulo 256,
 * where the predictor is made of the bytes to the left (a), above (b) and above left (c).
 */

const NONE = 0;
const SUB = 1;
const UP = 2;
const AVERAGE = 3;
const PAETH = 4;

/** The four bytes of a pixel's alpha 255, for rows of three bytes widened to four. */
const OPAQUE: u32 = 0xff00_0000;

/**
 * Reconstructs one row of `bytes` bytes from `filtered` into `out`, with the reconstructed row above at
 * `above`. `bpp` is the filter distance (1, 2, 3, 4, 6 or 8). Reads and writes up to 8 bytes beyond the rows;
 * `out` is neither of the others.
 * @returns 0, or 1 for a filter type that does not exist
 */
export function pngUnfilter(
  filter: i32,
  filtered: usize,
  above: usize,
  out: usize,
  bytes: usize,
  bpp: usize,
): i32 {
  switch (filter) {
    case NONE:
      memory.copy(out, filtered, bytes);
      return 0;
    case UP:
      up(filtered, above, out, bytes);
      return 0;
    case SUB:
    case AVERAGE:
    case PAETH:
      break;
    default:
      return 1;
  }
  if (bpp === 3) pixels(filter, filtered, above, out, bytes, 3);
  else if (bpp === 4) pixels(filter, filtered, above, out, bytes, 4);
  else if (bpp === 6) pixels(filter, filtered, above, out, bytes, 6);
  else if (bpp === 8) pixels(filter, filtered, above, out, bytes, 8);
  else narrow(filter, filtered, above, out, bytes, bpp);
  return 0;
}

/**
 * Reconstructs one row of `width` 8-bit RGB pixels straight into opaque RGBA; `above` is RGBA too (any
 * alpha). Reads up to 4 bytes beyond `filtered`.
 * @returns 0, or 1 for a filter type that does not exist
 */
export function pngUnfilterRgb(filter: i32, filtered: usize, above: usize, out: usize, width: usize): i32 {
  const end = out + width * 4;
  let left: v128 = i32x4.splat(0);
  let corner: v128 = i32x4.splat(0);
  switch (filter) {
    case NONE: {
      const wide = end - (width & 3) * 4;
      const opaque = i32x4.splat(OPAQUE);
      const spread = v128.load(threeToFour);
      for (; out < wide; out += 16, filtered += 12) {
        v128.store(out, v128.or(i8x16.swizzle(v128.load(filtered), spread), opaque));
      }
      for (; out < end; out += 4, filtered += 3) store<u32>(out, load<u32>(filtered) | OPAQUE);
      return 0;
    }
    case SUB:
      for (; out < end; out += 4, filtered += 3) {
        left = i8x16.add(left, v128.load32_zero(filtered));
        store<u32>(out, <u32>i32x4.extract_lane(left, 0) | OPAQUE);
      }
      return 0;
    case UP: {
      const wide = end - (width & 3) * 4;
      const opaque = i32x4.splat(OPAQUE);
      const spread = v128.load(threeToFour);
      for (; out < wide; out += 16, filtered += 12, above += 16) {
        const sum = i8x16.add(i8x16.swizzle(v128.load(filtered), spread), v128.load(above));
        v128.store(out, v128.or(sum, opaque));
      }
      for (; out < end; out += 4, filtered += 3, above += 4) {
        const sum = i8x16.add(v128.load32_zero(filtered), v128.load32_zero(above));
        store<u32>(out, <u32>i32x4.extract_lane(sum, 0) | OPAQUE);
      }
      return 0;
    }
    case AVERAGE:
      for (; out < end; out += 4, filtered += 3, above += 4) {
        left = i8x16.add(average(left, v128.load32_zero(above)), v128.load32_zero(filtered));
        store<u32>(out, <u32>i32x4.extract_lane(left, 0) | OPAQUE);
      }
      return 0;
    case PAETH:
      for (; out < end; out += 4, filtered += 3, above += 4) {
        const over = i16x8.extend_low_i8x16_u(v128.load32_zero(above));
        left = addWide(paeth(left, over, corner), filtered);
        corner = over;
        store<u32>(out, <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(left, left), 0) | OPAQUE);
      }
      return 0;
  }
  return 1;
}

const threeToFour = memory.data<u8>([0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255], 16);
const lowBytes = memory.data<u16>([255, 255, 255, 255, 255, 255, 255, 255], 16);
const lowBits = memory.data<u8>([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 16);

function up(filtered: usize, above: usize, out: usize, bytes: usize): void {
  const end = out + bytes;
  const wide = out + (bytes & ~15);
  for (; out < wide; out += 16, filtered += 16, above += 16) {
    v128.store(out, i8x16.add(v128.load(filtered), v128.load(above)));
  }
  for (; out < end; out++, filtered++, above++) store<u8>(out, load<u8>(filtered) + load<u8>(above));
}

/** floor((a + b) / 2): the instruction rounds up, so take back the bit it added. */
// @inline
function average(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), v128.load(lowBits)));
}

/**
 * The predictor nearest to a + b - c, ties in the order a, b, c (ISO/IEC 15948 section 9.4); 16-bit lanes.
 */
// @inline
function paeth(a: v128, b: v128, c: v128): v128 {
  const toA = i16x8.sub(b, c);
  const toB = i16x8.sub(a, c);
  const distanceC = i16x8.abs(i16x8.add(toA, toB));
  const distanceA = i16x8.abs(toA);
  const distanceB = i16x8.abs(toB);
  const nearest = i16x8.min_s(distanceC, i16x8.min_s(distanceA, distanceB));
  return v128.bitselect(a, v128.bitselect(b, c, i16x8.eq(nearest, distanceB)), i16x8.eq(nearest, distanceA));
}

/** 16-bit lanes of `predicted` plus the bytes at `filtered`, modulo 256. */
// @inline
function addWide(predicted: v128, filtered: usize): v128 {
  return v128.and(i16x8.add(predicted, v128.load8x8_u(filtered)), v128.load(lowBytes));
}

/** Whole pixels of 3 to 8 bytes at once; the bytes beyond a pixel are overwritten by the next. */
// @inline
function pixels(filter: i32, filtered: usize, above: usize, out: usize, bytes: usize, bpp: usize): void {
  const end = out + bytes;
  let left: v128 = i32x4.splat(0);
  if (filter === SUB) {
    for (; out < end; out += bpp, filtered += bpp) {
      left = i8x16.add(left, v128.load64_zero(filtered));
      v128.store64_lane(out, left, 0);
    }
  } else if (filter === AVERAGE) {
    for (; out < end; out += bpp, filtered += bpp, above += bpp) {
      left = i8x16.add(average(left, v128.load64_zero(above)), v128.load64_zero(filtered));
      v128.store64_lane(out, left, 0);
    }
  } else {
    let corner: v128 = i32x4.splat(0);
    for (; out < end; out += bpp, filtered += bpp, above += bpp) {
      const over = v128.load8x8_u(above);
      left = addWide(paeth(left, over, corner), filtered);
      corner = over;
      v128.store64_lane(out, i8x16.narrow_i16x8_u(left, left), 0);
    }
  }
}

/** One byte at a time, for pixels of one or two bytes. */
function narrow(filter: i32, filtered: usize, above: usize, out: usize, bytes: usize, bpp: usize): void {
  for (let i: usize = 0; i < bytes; i++) {
    const a: i32 = i >= bpp ? load<u8>(out + i - bpp) : 0;
    let predicted = a;
    if (filter !== SUB) {
      const b: i32 = load<u8>(above + i);
      if (filter === AVERAGE) {
        predicted = (a + b) >> 1;
      } else {
        const c: i32 = i >= bpp ? load<u8>(above + i - bpp) : 0;
        const pa = abs(b - c);
        const pb = abs(a - c);
        const pc = abs(a + b - c - c);
        predicted = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      }
    }
    store<u8>(out + i, <u8>(load<u8>(filtered + i) + predicted));
  }
}
