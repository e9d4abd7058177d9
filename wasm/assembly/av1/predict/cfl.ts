/** Chroma from luma (section 7.11.5). */

/**
 * Adds luma's differences from its mean, times `alpha`, to a block that holds its DC prediction.
 * @param stride bytes from a row of samples to the next, as is `lumaStride`
 * @param luma address of the luma sample at the block's first one
 * @param width 4 to 32, as is `height`
 * @param lumaWidth decoded luma samples of a row, from `luma` on (MaxLumaW less the block's start): at least
 * 1 << subX; those after them repeat the last pair. The same down for `lumaHeight`
 * @param alpha CflAlphaU or CflAlphaV, −16 to 16
 */
export function predictCfl(
  dst: usize,
  stride: usize,
  luma: usize,
  lumaStride: usize,
  subX: i32,
  subY: i32,
  width: i32,
  height: i32,
  lumaWidth: i32,
  lumaHeight: i32,
  alpha: i32,
  bitDepth: i32,
): void {}
