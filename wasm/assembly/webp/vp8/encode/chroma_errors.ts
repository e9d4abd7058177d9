/**
 * What quantisation leaves of the DC of a block of chroma is passed on to the blocks to its right and below,
 * which aim at their own DC and that: error diffusion, as of dithering. In smooth areas each block by itself
 * is too near to its prediction to be worth a level, so that colours would drift in wide bands.
 */

/** Of each column of macroblocks, i16: the lower two blocks of U, then of V. */
export const CHROMA_ERROR_BYTES: usize = 8;

/** What is passed on to the right and down, in 256ths; a little less than all, so that it fades. */
const TO_RIGHT: i32 = 107;
const DOWN: i32 = 120;

/** Of the macroblock to the left, i16: the two blocks of U at its right edge, then of V. */
const LEFT: usize = memory.data(8, 8);
/** The same two of the attempt at hand, while its blocks are gone through. */
const OWN_LEFT: usize = memory.data(8, 8);
const OWN_ABOVE: usize = memory.data(8, 8);

/** Before a macroblock row: there is nothing to its left. */
export function startErrors(): void {
  store<u64>(LEFT, 0);
}

/** Before an attempt. @param above this column's errors */
export function tryErrors(above: usize): void {
  store<u64>(OWN_LEFT, load<u64>(LEFT));
  store<u64>(OWN_ABOVE, load<u64>(above));
}

/** The attempt counts. */
export function keepErrors(above: usize): void {
  store<u64>(LEFT, load<u64>(OWN_LEFT));
  store<u64>(above, load<u64>(OWN_ABOVE));
}

/** What a block is to make up for. @param block 0 to 3 are of U, 4 to 7 of V, row after row */
// @inline
export function errorBefore(block: usize): i32 {
  const left = <i32>load<i16>(leftOf(block));
  const above = <i32>load<i16>(aboveOf(block));
  return (left * TO_RIGHT + above * DOWN + 128) >> 8;
}

/** @param error what its DC aimed at, less what it became */
// @inline
export function passError(block: usize, error: i32): void {
  store<i16>(leftOf(block), error);
  store<i16>(aboveOf(block), error);
}

// @inline
function leftOf(block: usize): usize {
  return OWN_LEFT + ((block >> 1) << 1);
}

// @inline
function aboveOf(block: usize): usize {
  return OWN_ABOVE + ((((block >> 2) << 1) + (block & 1)) << 1);
}
