/**
 * Lowers levels by one where the bits saved are worth more than the added error: mostly ones that become
 * zeros, and blocks that end earlier. Works from a block's end to its beginning, each level on its own.
 */
import { endPrice, levelPriceAt, startPrice } from './prices';

/** Byte offsets of coefficients in the order they are coded (RFC 6386 section 13). */
const ZIGZAG: usize = memory.data<u8>([0, 2, 8, 16, 10, 4, 6, 12, 18, 24, 26, 20, 14, 22, 28, 30]);

/**
 * Factor from the squared error of coefficients to that of samples (forward_transform.ts); then the same for
 * Y2 (DCs of DCs).
 */
export const BLOCK_ERROR: f64 = 1.0 / 4;
export const Y2_ERROR: f64 = 1.0 / 16;

/**
 * The part of the saved bits that counts: the levels that go are mostly texture, which squared error
 * undervalues.
 */
const SAVED_WEIGHT: f64 = 0.85;

/** Whether the last call changed anything. */
export let refined: bool = false;

// @inline
function levelAt(levels: usize, position: i32): i32 {
  return abs(<i32>load<i16>(levels + ((<usize>position) << 1)));
}

/** The price of a level at a position, including its effect on the next one's. */
// @inline
function priceHere(
  prices: usize,
  type: i32,
  position: i32,
  last: i32,
  levels: usize,
  context: i32,
  level: i32,
): i32 {
  const after = min(level, 2);
  const here = levelPriceAt(prices, type, position, context, level);
  if (position === last) return here + endPrice(prices, type, position + 1, after);
  return here + levelPriceAt(prices, type, position + 1, after, levelAt(levels, position + 1));
}

/**
 * Refines one block's levels.
 * @param block the coefficients, row after row
 * @param table a table of quantise.ts
 * @param first 1 if the DC is coded elsewhere, else 0
 * @param context how many of the blocks above and to the left have coefficients
 * @param last the place of the last non-zero level
 * @param lambda squared error of coefficients that a 256th of a bit is worth
 * @param dcLambda the same for the first coefficient
 * @returns the new place of the last non-zero level, −1 if there is none
 */
export function refine(
  prices: usize,
  type: i32,
  block: usize,
  table: usize,
  levels: usize,
  first: i32,
  context: i32,
  last: i32,
  lambda: f64,
  dcLambda: f64,
): i32 {
  refined = false;
  for (let position = last; position >= first; position--) {
    const at = levels + ((<usize>position) << 1);
    const signed = <i32>load<i16>(at);
    if (signed === 0) continue;
    const level = abs(signed);
    const offset = <usize>load<u8>(ZIGZAG + position);
    const factor = <i32>load<u16>(table + offset);
    const error = (2 * abs(<i32>load<i16>(block + offset)) - (2 * level - 1) * factor) * factor;
    const before = position === first ? context : min(levelAt(levels, position - 1), 2);
    const old = priceHere(prices, type, position, last, levels, before, level);
    let end = position - 1;
    let saved: i32;
    if (level === 1 && position === last) {
      // Then the block ends after the previous level, and the zeros leading here need not be written either.
      saved = old;
      while (end >= first && levelAt(levels, end) === 0) {
        const context0 = end === first ? context : min(levelAt(levels, end - 1), 2);
        saved += levelPriceAt(prices, type, end, context0, 0);
        end--;
      }
      if (end >= first) saved -= endPrice(prices, type, end + 1, min(levelAt(levels, end), 2));
      else saved -= endPrice(prices, type, first, context) - startPrice(prices, type, first, context);
    } else {
      saved = old - priceHere(prices, type, position, last, levels, before, level - 1);
    }
    const worth = SAVED_WEIGHT * (position === 0 ? dcLambda : lambda);
    if (<f64>error >= worth * <f64>saved) continue;
    refined = true;
    store<i16>(at, signed > 0 ? signed - 1 : signed + 1);
    if (level === 1 && position === last) last = end >= first ? end : -1;
  }
  return last;
}
