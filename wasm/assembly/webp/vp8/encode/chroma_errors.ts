/**
 * Error diffusion, as in dithering: the quantisation error of a chroma block's DC is passed on to the blocks
 * to its right and below, which aim at their own DC plus that error. In smooth areas, each block alone is too
 * close to its prediction to be worth a level, so that colours would drift in wide bands.
 */

/** Bytes per macroblock column, i16: the errors of the lower two blocks of U, then of V. */
export const CHROMA_ERROR_BYTES: usize = 8;

/**
 * The parts passed on to the right and down, in 256ths; together a little less than all, so that errors fade.
 */
const TO_RIGHT: i32 = 107;
const DOWN: i32 = 120;

/** Errors of the macroblock to the left, i16: the two blocks of U at its right edge, then of V. */
const LEFT: usize = memory.data(8, 8);
/** The same of the current attempt, while its blocks are coded. */
const OWN_LEFT: usize = memory.data(8, 8);
const OWN_ABOVE: usize = memory.data(8, 8);

/** Call before a macroblock row: nothing lies to its left. */
export function startErrors(): void {
  store<u64>(LEFT, 0);
}

/** Call before an attempt. @param above this column's errors */
export function tryErrors(above: usize): void {
  store<u64>(OWN_LEFT, load<u64>(LEFT));
  store<u64>(OWN_ABOVE, load<u64>(above));
}

/** Makes the last attempt's errors the current ones. */
export function keepErrors(above: usize): void {
  store<u64>(LEFT, load<u64>(OWN_LEFT));
  store<u64>(above, load<u64>(OWN_ABOVE));
}

/** The error that a block has to make up for. @param block 0 to 3 for U, 4 to 7 for V, row after row */
// @inline
export function errorBefore(block: usize): i32 {
  const left = <i32>load<i16>(leftOf(block));
  const above = <i32>load<i16>(aboveOf(block));
  return (left * TO_RIGHT + above * DOWN + 128) >> 8;
}

/** Passes a block's error on. @param error the DC it aimed at, minus what it became */
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
