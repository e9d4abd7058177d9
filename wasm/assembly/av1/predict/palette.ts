/** Prediction from a palette (section 7.11.4). */
import { storeSamples } from './fill';

/**
 * @param stride bytes from a row of samples to the next
 * @param colours u16, of which 8 are read
 * @param map u8 index of each sample, row after row of `mapStride` bytes; each below 8. Whole vectors of 8
 * are read
 * @param width 4, or a multiple of 8 up to 64
 * @param height 4 to 64
 */
export function predictPalette(
  dst: usize,
  stride: usize,
  colours: usize,
  map: usize,
  mapStride: usize,
  width: i32,
  height: i32,
): void {
  const palette = v128.load(colours);
  for (let i = 0; i < height; i++) {
    for (let j: usize = 0; j < <usize>width; j += 8) {
      // Both bytes of each sample.
      const bytes = i16x8.mul(v128.load8x8_u(map + j), i16x8.splat(0x202));
      const samples = i8x16.swizzle(palette, i16x8.add(bytes, i16x8.splat(0x100)));
      storeSamples(dst + (j << 1), samples, width === 4);
    }
    dst += stride;
    map += mapStride;
  }
}
