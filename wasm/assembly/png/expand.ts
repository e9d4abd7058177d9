/**
 * Rows as PNG stores them (ISO/IEC 15948 section 7.2) to 8-bit RGBA. Samples of 16 bits keep their high byte:
 * what libpng's png_set_strip_16 and libvips do, at most one level from the rounded value.
 */

import { LAYOUT_GREY_ALPHA8, LAYOUT_GREY_ALPHA16, LAYOUT_RGBA8 } from './constants';

/** `width` samples of `depth` bits (1, 2, 4, 8), most significant first, through a table of RGBA values. */
export function pngExpandTable(row: usize, out: usize, width: usize, depth: u32, table: usize): void {
  const end = out + width * 4;
  if (depth === 8) {
    for (; out < end; out += 4, row++) store<u32>(out, load<u32>(table + ((<usize>load<u8>(row)) << 2)));
    return;
  }
  const mask: u32 = (1 << depth) - 1;
  while (out < end) {
    const byte: u32 = load<u8>(row++);
    for (let shift: i32 = 8 - depth; shift >= 0 && out < end; shift -= depth, out += 4) {
      store<u32>(out, load<u32>(table + ((<usize>((byte >> shift) & mask)) << 2)));
    }
  }
}

/** `width` bytes of grey to opaque pixels. Reads and writes up to 15 pixels beyond. */
export function pngExpandGrey8(row: usize, out: usize, width: usize): void {
  const end = out + width * 4;
  const opaque = i32x4.splat(0xff00_0000);
  for (; out < end; out += 64, row += 16) {
    const grey = v128.load(row);
    v128.store(out, v128.or(i8x16.swizzle(grey, v128.load(greySpread)), opaque));
    v128.store(out, v128.or(i8x16.swizzle(grey, v128.load(greySpread, 16)), opaque), 16);
    v128.store(out, v128.or(i8x16.swizzle(grey, v128.load(greySpread, 32)), opaque), 32);
    v128.store(out, v128.or(i8x16.swizzle(grey, v128.load(greySpread, 48)), opaque), 48);
  }
}

const greySpread = memory.data(64, 16);
for (let i: usize = 0; i < 64; i++) store<u8>(greySpread + i, (i & 3) === 3 ? 255 : <u8>(i >> 2));

/** Bytes of one stored pixel, by layout. */
const strides = memory.data<u8>([3, 4, 2, 2, 6, 4, 8]);

/** Which bytes of two stored pixels make two RGBA pixels, by layout; 255 gives 0. */
const picks = memory.data<u8>(
  [
    0, 1, 2, 255, 3, 4, 5, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 1, 2, 3, 4, 5, 6, 7, 255, 255, 255,
    255, 255, 255, 255, 255, 0, 0, 0, 1, 2, 2, 2, 3, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 255, 2,
    2, 2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 2, 4, 255, 6, 8, 10, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 0, 0, 0, 2, 4, 4, 4, 6, 255, 255, 255, 255, 255, 255, 255, 255, 0, 2, 4, 6, 8, 10, 12, 14,
    255, 255, 255, 255, 255, 255, 255, 255,
  ],
  16,
);

/** `width` pixels of a layout without a transparent colour. Reads and writes up to 16 bytes beyond. */
export function pngExpand(layout: u32, row: usize, out: usize, width: usize): void {
  const end = out + width * 4;
  const stride = <usize>load<u8>(strides + layout);
  const pick = v128.load(picks + (layout << 4));
  const hasAlpha =
    layout === LAYOUT_RGBA8 || layout === LAYOUT_GREY_ALPHA8 || layout >= <u32>LAYOUT_GREY_ALPHA16;
  const opaque = i32x4.splat(hasAlpha ? 0 : 0xff00_0000);
  for (; out < end; out += 8, row += stride * 2) {
    v128.store64_lane(out, v128.or(i8x16.swizzle(v128.load(row), pick), opaque), 0);
  }
}

/**
 * Makes transparent every pixel whose stored bytes equal `key` (tRNS of grey and RGB, ISO/IEC 15948 section
 * 11.3.2.1): all bytes count, also those that 16-bit samples lose. `key` and the row are compared as the
 * `bytes` (2, 3 or 6) they are stored in.
 */
export function pngApplyKey(row: usize, out: usize, width: usize, key: u64, bytes: usize): void {
  const mask: u64 = ((<u64>1) << (bytes << 3)) - 1;
  const end = out + width * 4;
  for (; out < end; out += 4, row += bytes) {
    if ((load<u64>(row) & mask) === key) store<u8>(out, 0, 3);
  }
}

/** Puts `count` pixels at `row` to every `step`th pixel from `out` on: one row of an interlace pass. */
export function pngScatter(row: usize, out: usize, count: usize, step: usize): void {
  const end = row + count * 4;
  const stride = step * 4;
  for (; row < end; row += 4, out += stride) store<u32>(out, load<u32>(row));
}
