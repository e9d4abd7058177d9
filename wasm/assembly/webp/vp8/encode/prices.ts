/** What a block's levels cost with the current probabilities, in 256ths of a bit. */

import {
  BAND_OF,
  BANDS,
  CONTEXTS,
  EXTRA_BITS,
  EXTRA_BYTES,
  EXTRA_PROBABILITIES,
  LARGE_PATH_BYTES,
  LARGE_PATHS,
  LARGE_VALUES,
  largeTokenOf,
  nodesOf,
} from '../common/token_tree';
import { bitPrice, onePrice, zeroPrice } from './bit_price';

/** Prices of levels 0 to 63 by block type (4), position (16) and context (3); u16. */
const LEVELS: i32 = 64;
const LEVELS_BYTES: usize = 128;
const POSITION_BYTES: usize = 384;
const TYPE_BYTES: usize = 6144;
/**
 * Prices of a block's end before each position, u16, by type, position (17, the last one free) and context.
 */
const ENDS: usize = 24576;
const END_TYPE_BYTES: usize = 102;
/** Prices of a coefficient following at position 0 or 1 in context 0, u16, by type and position. */
const STARTS: usize = ENDS + 4 * END_TYPE_BYTES;
export const PRICES_BYTES: usize = STARTS + 16;

const SIGN_PRICE: i32 = 256;

function extraPrice(token: i32, extra: i32): i32 {
  let price: i32 = 0;
  let at = EXTRA_PROBABILITIES + <usize>token * EXTRA_BYTES;
  for (let bit = <i32>load<u8>(EXTRA_BITS + token) - 1; bit >= 0; bit--, at++) {
    price += bitPrice((extra >> bit) & 1, load<u8>(at));
  }
  return price;
}

function levelPrice(nodes: usize, context: i32, level: i32): i32 {
  let price = context > 0 ? onePrice(load<u8>(nodes)) : 0;
  if (level === 0) return price + zeroPrice(load<u8>(nodes, 1));
  price += onePrice(load<u8>(nodes, 1)) + SIGN_PRICE;
  if (level === 1) return price + zeroPrice(load<u8>(nodes, 2));
  price += onePrice(load<u8>(nodes, 2));
  const token = largeTokenOf(level);
  for (let i: usize = 0; i < LARGE_PATH_BYTES; i++) {
    const step = <i32>load<u8>(LARGE_PATHS + <usize>token * LARGE_PATH_BYTES + i);
    if (step === 0) break;
    price += bitPrice(step & 1, load<u8>(nodes + (step >> 1)));
  }
  return price + extraPrice(token, level - <i32>load<u16>(LARGE_VALUES + ((<usize>token) << 1)));
}

export function fillPrices(prices: usize, probabilities: usize): void {
  for (let type = 0; type < 4; type++) {
    for (let band = 0; band < BANDS; band++) {
      for (let context = 0; context < CONTEXTS; context++) {
        const nodes = probabilities + nodesOf(type, band, context);
        let made: usize = 0;
        for (let position: usize = 0; position < 16; position++) {
          if (<i32>load<u8>(BAND_OF + position) !== band) continue;
          const at =
            prices + <usize>type * TYPE_BYTES + position * POSITION_BYTES + <usize>context * LEVELS_BYTES;
          if (made) memory.copy(at, made, LEVELS_BYTES);
          else {
            for (let level = 0; level < LEVELS; level++) {
              store<u16>(at + ((<usize>level) << 1), levelPrice(nodes, context, level));
            }
          }
          made = at;
          const end = prices + <usize>type * END_TYPE_BYTES + position * 6 + ((<usize>context) << 1);
          store<u16>(end, zeroPrice(load<u8>(nodes)), ENDS);
        }
      }
    }
    for (let context: usize = 0; context < 3; context++) {
      store<u16>(prices + <usize>type * END_TYPE_BYTES + 96 + (context << 1), 0, ENDS);
    }
    for (let position: usize = 0; position < 2; position++) {
      const nodes = probabilities + nodesOf(type, load<u8>(BAND_OF + position), 0);
      store<u16>(prices + ((<usize>type) << 2) + (position << 1), onePrice(load<u8>(nodes)), STARTS);
    }
  }
}

/** Price of a level, 0 or more. It includes that a coefficient follows, except in context 0. */
// @inline
export function levelPriceAt(prices: usize, type: i32, position: i32, context: i32, level: i32): i32 {
  const at = <usize>type * TYPE_BYTES + <usize>position * POSITION_BYTES + <usize>context * LEVELS_BYTES;
  const price = <i32>load<u16>(prices + at + ((<usize>min(level, LEVELS - 1)) << 1));
  return level < LEVELS ? price : price + largePrice(level);
}

/** Price of a block's end before a position. */
// @inline
export function endPrice(prices: usize, type: i32, position: i32, context: i32): i32 {
  return load<u16>(prices + <usize>type * END_TYPE_BYTES + <usize>(position * 6 + (context << 1)), ENDS);
}

/** Price of the first coefficient following, where its level's own price leaves that out. */
// @inline
export function startPrice(prices: usize, type: i32, first: i32, context: i32): i32 {
  if (context !== 0) return 0;
  return load<u16>(prices + (((<usize>type) << 2) + ((<usize>first) << 1)), STARTS);
}

/**
 * Price of a whole block.
 * @param first 1 if the DC is coded elsewhere, else 0
 * @param context how many of the blocks above and to the left have coefficients
 * @param last the place of the last non-zero level
 */
// @inline
export function priceBlock(
  prices: usize,
  type: i32,
  first: i32,
  context: i32,
  levels: usize,
  last: i32,
): i32 {
  if (last < first) return endPrice(prices, type, first, context);
  let price = startPrice(prices, type, first, context);
  let at = prices + <usize>type * TYPE_BYTES + <usize>first * POSITION_BYTES;
  const end = levels + ((<usize>last) << 1);
  for (let level = levels + ((<usize>first) << 1); level <= end; level += 2) {
    const value = abs(<i32>load<i16>(level));
    price += load<u16>(at + <usize>context * LEVELS_BYTES + ((<usize>min(value, LEVELS - 1)) << 1));
    if (value >= LEVELS) price += largePrice(value);
    context = min(value, 2);
    at += POSITION_BYTES;
  }
  return price + endPrice(prices, type, last + 1, context);
}

/** Roughly what a level costs in addition to the largest one that has a price. */
function largePrice(level: i32): i32 {
  return level < 67 ? 0 : 2 * SIGN_PRICE + (31 - clz<i32>(level) - 6) * 384;
}
