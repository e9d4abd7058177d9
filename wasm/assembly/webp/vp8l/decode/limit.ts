/** How much a header may declare. */

/** Edge of the blocks that files of honest encoders have at least, when they are large: 16 pixels. */
const USUAL_BLOCK_BITS: u32 = 4;
/** Bytes a block: predictor mode 1, colour transform element 3, group number 2. */
const BLOCK_BYTES: usize = 6;
/**
 * Prefix codes, and the smaller blocks of smaller pictures: so much, and a byte for so many pixels. Of
 * pictures of up to 2 megapixels libwebp's encoder makes 0.06 MB of codes and blocks together, of photographs
 * of 12 megapixels 0.1 to 0.7 MB, of 50 megapixels of 220 different pictures 1.2 MB; here that is 0.9, 1.6
 * and 4.3.
 */
const CODES_BYTES: usize = 768 << 10;
const PIXELS_FOR_A_BYTE: i32 = 20;
/** Larger pictures are not decoded. */
const MOST_PIXELS: i32 = 50_000_000;

/** Bytes that the header of a picture of this size may have reserved: enough for what encoders write. */
export function webpLosslessSideLimit(width: i32, height: i32): usize {
  const blocks = <usize>((width >> USUAL_BLOCK_BITS) + 1) * ((height >> USUAL_BLOCK_BITS) + 1);
  const pixels = min(width * height, MOST_PIXELS);
  return CODES_BYTES + <usize>(pixels / PIXELS_FOR_A_BYTE) + blocks * BLOCK_BYTES;
}
