/**
 * Inverse transforms of single pixels: from ARGB words to ARGB words or RGBA bytes, four pixels at a time.
 */

/** Bytes of a block's colour transform element: green to red, green to blue, red to blue. */
export const ELEMENT_BYTES: usize = 3;

const greenToBoth = memory.data<u8>([128, 1, 128, 1, 128, 5, 128, 5, 128, 9, 128, 9, 128, 13, 128, 13], 16);
const greenBelow = memory.data<u8>([1, 128, 1, 128, 5, 128, 5, 128, 9, 128, 9, 128, 13, 128, 13, 128], 16);
const redFirst = memory.data<u8>([2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15], 16);

/**
 * The inverse colour transform (WebP lossless bitstream specification, section 4.2) of a row. Reads and
 * writes up to 12 bytes beyond the rows' ends.
 * @param elements those of this row of blocks, each 2^bits pixels wide
 */
export function untransformRow(elements: usize, bits: u32, width: i32, from: usize, to: usize): void {
  const spread = v128.load(greenToBoth);
  const low = i32x4.splat(0x00ff_00ff);
  const end = to + ((<usize>width) << 2);
  while (to < end) {
    const greenToRed = <i32>load<i8>(elements);
    const greenToBlue = <i32>load<i8>(elements, 1);
    const byGreen = i32x4.splat((greenToRed << 16) | (greenToBlue & 0xffff));
    const byRed = i32x4.splat((<i32>load<i8>(elements, 2)) << 16);
    const blockEnd = min(end, to + ((<usize>4) << bits));
    for (; to < blockEnd; from += 16, to += 16) {
      let pixels = v128.load(from);
      // Products of signed bytes, shifted right by 5; only the lowest 8 bits of the result count.
      const greens = i16x8.shr_s(i8x16.swizzle(pixels, spread), 8);
      const fromGreen = i16x8.shr_s(i16x8.mul(greens, byGreen), 5);
      pixels = i8x16.add(pixels, v128.and(fromGreen, low));
      const reds = i16x8.shr_s(i16x8.shl(pixels, 8), 8);
      const fromRed = i16x8.shr_s(i16x8.mul(reds, byRed), 5);
      v128.store(to, i8x16.add(pixels, v128.and(i32x4.shr_u(fromRed, 16), low)));
    }
    elements += ELEMENT_BYTES;
  }
}

/** Adds green to red and blue (section 4.3). Overruns as `untransformRow`. */
export function addGreenRow(width: i32, from: usize, to: usize): void {
  const spread = v128.load(greenBelow);
  for (const end = to + ((<usize>width) << 2); to < end; from += 16, to += 16) {
    const pixels = v128.load(from);
    v128.store(to, i8x16.add(pixels, i8x16.swizzle(pixels, spread)));
  }
}

/** Like `addGreenRow`, with RGBA output. */
export function addGreenToRgba(width: i32, from: usize, to: usize): void {
  const spread = v128.load(greenBelow);
  const order = v128.load(redFirst);
  for (const end = to + ((<usize>width) << 2); to < end; from += 16, to += 16) {
    const pixels = v128.load(from);
    v128.store(to, i8x16.swizzle(i8x16.add(pixels, i8x16.swizzle(pixels, spread)), order));
  }
}

/** ARGB words to RGBA bytes; `from` and `to` may be the same. Overruns as `untransformRow`. */
export function toRgba(width: i32, from: usize, to: usize): void {
  const order = v128.load(redFirst);
  for (const end = to + ((<usize>width) << 2); to < end; from += 16, to += 16) {
    v128.store(to, i8x16.swizzle(v128.load(from), order));
  }
}

/**
 * Makes RGBA pixels opaque: alpha is ignored unless the header announces it (alpha_is_used, RFC 9649 section
 * 3.4), as in viewers. Overruns like `untransformRow`.
 */
export function makeOpaque(width: i32, at: usize): void {
  const alpha = i32x4.splat(0xff00_0000);
  for (const end = at + ((<usize>width) << 2); at < end; at += 16) {
    v128.store(at, v128.or(v128.load(at), alpha));
  }
}
