/** Limits what a header may declare. */

/** Log2 of the least edge of blocks in large files from usual encoders: 16 pixels. */
const USUAL_BLOCK_BITS: u32 = 4;
/** Bytes per block: predictor mode 1, colour transform element 3, group number 2. */
const BLOCK_BYTES: usize = 6;
/**
 * Allowance for prefix codes, and for the smaller blocks of smaller pictures: a fixed number of bytes, and
 * one byte per so many pixels. For codes and blocks together, libwebp's encoder takes 0.06 MB for pictures of
 * up to 2 megapixels, 0.1 to 0.7 MB for photographs of 12 megapixels, and 1.2 MB for 50 megapixels of 220
 * different pictures; the limits here are 0.9, 1.6 and 4.3 MB.
 */
const CODES_BYTES: usize = 768 << 10;
const PIXELS_FOR_A_BYTE: i32 = 20;
/** Larger pictures are not decoded. */
const MOST_PIXELS: i32 = 50_000_000;

/**
 * The most bytes that the header of a picture of this size may have reserved: enough for what encoders write.
 */
export function webpLosslessSideLimit(width: i32, height: i32): usize {
  const blocks = <usize>((width >> USUAL_BLOCK_BITS) + 1) * ((height >> USUAL_BLOCK_BITS) + 1);
  const pixels = min(width * height, MOST_PIXELS);
  return CODES_BYTES + <usize>(pixels / PIXELS_FOR_A_BYTE) + blocks * BLOCK_BYTES;
}
