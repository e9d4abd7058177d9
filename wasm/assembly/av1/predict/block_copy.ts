/**
 * Intra block copy (section 7.11.3.4 with its bilinear filter, which only ever meets whole and half samples).
 */

/**
 * Copies a block of the same plane, which must be reconstructed and must not overlap this one.
 * @param stride bytes from one row of samples to the next, for both blocks
 * @param source address of the source's first sample. Whole vectors of 8 samples are read; with a half
 * position also the sample after the last column or row
 * @param width 2, 4 or a multiple of 8 up to 128
 * @param height 2 to 128
 * @param halfX the source lies half a sample further right: samples are rounded means of neighbours
 * @param halfY the same, down
 */
export function copyBlock(
  dst: usize,
  stride: usize,
  source: usize,
  width: i32,
  height: i32,
  halfX: bool,
  halfY: bool,
): void {
  const right: usize = halfX ? 2 : 0;
  const down: usize = halfY ? stride : 0;
  for (let i = 0; i < height; i++) {
    for (let at: usize = 0; at < (<usize>width) << 1; at += 16) {
      const from = source + at;
      let samples = v128.load(from);
      if (halfX && halfY) {
        const upper = i16x8.add(samples, v128.load(from + 2));
        const lower = i16x8.add(v128.load(from + down), v128.load(from + down + 2));
        samples = i16x8.shr_u(i16x8.add(i16x8.add(upper, lower), i16x8.splat(2)), 2);
      } else if (halfX || halfY) {
        samples = i16x8.avgr_u(samples, v128.load(from + right + down));
      }
      if (width >= 8) v128.store(dst + at, samples);
      else if (width === 4) v128.store64_lane(dst, samples, 0);
      else v128.store32_lane(dst, samples, 0);
    }
    source += stride;
    dst += stride;
  }
}
