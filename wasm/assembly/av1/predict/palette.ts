/** Prediction from a palette (section 7.11.4). */

/**
 * @param stride bytes from a row of samples to the next
 * @param colours up to 8 u16
 * @param map u8 index of each sample, row after row of `mapStride` bytes; each below the palette's length
 * @param width multiple of 4, 4 to 64
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
): void {}
