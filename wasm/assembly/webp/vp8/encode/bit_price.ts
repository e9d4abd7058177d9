/** The cost of bits written by the boolean entropy encoder, in 256ths of a bit. */

const PRICES: usize = memory.data(514, 16);
let filled: bool = false;

export function fillBitPrices(): void {
  if (filled) return;
  filled = true;
  for (let i: usize = 1; i <= 256; i++) {
    store<u16>(PRICES + (i << 1), <u16>Math.round(-256 * Math.log2(<f64>i / 256)));
  }
  store<u16>(PRICES, 2048);
}

/** @param probability of 0 */
// @inline
export function zeroPrice(probability: i32): i32 {
  return load<u16>(PRICES + ((<usize>probability) << 1));
}

// @inline
export function onePrice(probability: i32): i32 {
  return load<u16>(PRICES + ((<usize>(256 - probability)) << 1));
}

// @inline
export function bitPrice(bit: i32, probability: i32): i32 {
  return load<u16>(PRICES + ((<usize>(bit ? 256 - probability : probability)) << 1));
}
