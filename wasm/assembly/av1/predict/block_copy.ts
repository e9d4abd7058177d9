/** Intra block copy (section 7.11.3.4 with its bilinear filter, which only ever meets whole and half samples). */

/**
 * Copies a block of the same plane that is reconstructed already and doesn't overlap this one.
 * @param stride bytes from a row of samples to the next, of both
 * @param source address of the first sample of the block copied; with a half position the sample after the
 * last column or row is read too
 * @param width 2 to 128, as is `height`
 * @param halfX the source lies half a sample further right: the samples are rounded means of neighbours
 * @param halfY the same down
 */
export function copyBlock(
  dst: usize,
  stride: usize,
  source: usize,
  width: i32,
  height: i32,
  halfX: bool,
  halfY: bool,
): void {}
