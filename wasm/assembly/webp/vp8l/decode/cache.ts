/** The colour cache (WebP lossless bitstream specification, section 5.2.3). */

const MULTIPLIER: u32 = 0x1e35_a7bd;

/** Enters the pixels of [from, to). */
// @inline
export function enterPixels(cache: usize, cacheBits: u32, from: usize, to: usize): void {
  const shift = 32 - cacheBits;
  for (; from < to; from += 4) {
    const pixel = load<u32>(from);
    store<u32>(cache + ((<usize>((pixel * MULTIPLIER) >> shift)) << 2), pixel);
  }
}
