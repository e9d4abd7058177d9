/**
 * Chooses the DC levels of a segment's blocks: each is the one below or above the exact value, whichever
 * makes the chain of differences (T.81 F.1.1.5.1) cheapest by D · weight + bits.
 *
 * Both are tried only where their errors are nearly alike (`DC_NEAR`, quantise.ts), in groups between blocks
 * that take the nearest level in any case, as in trellis.ts.
 */
import { DC_PRICES } from './prices';
import { DC_NEAR, DC_WEIGHT, QUANT_STEPS } from './quantise';
import { sizeOf } from './tokens';

/**
 * For each block: which level of the previous block is best for its lower level (bit 0) and its upper one
 * (bit 1).
 */
const WAYS: usize = memory.data(128);

/** The sum of 8 × 8 samples less 64 · 128, in lane 0; with `both`, that of the block beside it in lane 2. */
// @inline
function sums(samples: usize, stride: usize, both: bool): v128 {
  let sum = i16x8.splat(0);
  for (let row = 0; row < 8; row++) {
    const bytes = both ? v128.load(samples) : v128.load64_zero(samples);
    sum = i16x8.add(sum, i16x8.extadd_pairwise_i8x16_u(bytes));
    samples += stride;
  }
  const pairs = i32x4.extadd_pairwise_i16x8_s(sum);
  return i32x4.sub(i32x4.add(pairs, v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2)), i32x4.splat(64 * 128));
}

/**
 * Computes the DCs of blocks side by side, eight times too large; equal to forwardDct's (fdct.ts) to the bit.
 * @returns the place after them
 */
export function noteDcs(samples: usize, stride: usize, count: i32, to: usize): usize {
  for (; count > 1; count -= 2) {
    const both = sums(samples, stride, true);
    store<i16>(to, <i16>i32x4.extract_lane(both, 0));
    store<i16>(to, <i16>i32x4.extract_lane(both, 2), 2);
    samples += 16;
    to += 4;
  }
  if (count === 0) return to;
  store<i16>(to, <i16>i32x4.extract_lane(sums(samples, stride, false), 0));
  return to + 2;
}

// @inline
function priceOf(prices: usize, difference: i32): f32 {
  return load<f32>(prices + ((<usize>sizeOf(difference)) << 2), DC_PRICES);
}

// @inline
function blockOf(chain: usize, block: i32): usize {
  return chain + ((<usize>block) << 1);
}

/**
 * Chooses the DC levels of a chain of blocks and stores their differences.
 * @param chain exact DCs of `count` blocks, at most 128, i16; replaced by differences of levels
 * @param last address of the level before the first of them; receives the level of the last
 * @param prices the class's prices: see prices.ts
 */
export function chooseDcs(chain: usize, count: i32, last: usize, table: usize, prices: usize): void {
  const before = load<i32>(last);
  if (load<f32>(table, DC_WEIGHT) === 0) roundDcs(chain, count, table);
  else chooseLevels(chain, count, before, table, prices);
  let level = before;
  for (let i = 0; i < count; i++) {
    const at = blockOf(chain, i);
    const next = <i32>load<i16>(at);
    store<i16>(at, <i16>(next - level));
    level = next;
  }
  store<i32>(last, level);
}

/** Rounds to the nearest level, halves away from zero, as in quantise.ts. */
function roundDcs(chain: usize, count: i32, table: usize): void {
  const step: f32 = 8.0 * <f32>load<u8>(table, QUANT_STEPS);
  for (let i = 0; i < count; i++) {
    const at = blockOf(chain, i);
    const exact = <f32>load<i16>(at) / step;
    store<i16>(at, <i16>(exact < 0 ? Mathf.ceil(exact - 0.5) : Mathf.floor(exact + 0.5)));
  }
}

function chooseLevels(chain: usize, count: i32, before: i32, table: usize, prices: usize): void {
  const weight = load<f32>(table, DC_WEIGHT);
  const near = load<f32>(table, DC_NEAR);
  const inverse: f32 = 0.125 / <f32>load<u8>(table, QUANT_STEPS);
  // The previous block's two levels, and the cost of reaching each; only `lower` counts where no group is
  // open.
  let isOpen = false;
  let lower = before;
  let upper = before;
  let lowerCost: f32 = 0;
  let upperCost: f32 = 0;
  for (let i = 0; i < count; i++) {
    const at = blockOf(chain, i);
    const exact = <f32>load<i16>(at) * inverse;
    const floor = Mathf.floor(exact);
    const part = exact - floor;
    let level = <i32>floor;
    if (Mathf.abs(part - 0.5) > near) {
      if (part > 0.5) level++;
      store<i16>(at, <i16>level);
      if (isOpen) {
        lowerCost += priceOf(prices, level - lower);
        upperCost += priceOf(prices, level - upper);
        closeGroup(chain, i - 1, upperCost < lowerCost);
        isOpen = false;
      }
      lower = level;
      continue;
    }
    store<i16>(at, <i16>level);
    let toLower = priceOf(prices, level - lower);
    let toUpper = priceOf(prices, level + 1 - lower);
    let ways = NO_GROUP;
    if (isOpen) {
      toLower += lowerCost;
      toUpper += lowerCost;
      const lowerByUpper = upperCost + priceOf(prices, level - upper);
      const upperByUpper = upperCost + priceOf(prices, level + 1 - upper);
      ways = <i32>(lowerByUpper < toLower) | ((<i32>(upperByUpper < toUpper)) << 1);
      toLower = min(toLower, lowerByUpper);
      toUpper = min(toUpper, upperByUpper);
    }
    store<u8>(WAYS + <usize>i, <u8>ways);
    lowerCost = toLower + weight * part * part;
    upperCost = toUpper + weight * (1 - part) * (1 - part);
    lower = level;
    upper = level + 1;
    isOpen = true;
  }
  if (isOpen) closeGroup(chain, count - 1, upperCost < lowerCost);
}

/** Entry of WAYS for a group's first block. */
const NO_GROUP: i32 = 4;

/** Fixes the levels of a group, from its last block backwards. */
function closeGroup(chain: usize, block: i32, isUpper: bool): void {
  let above = <i32>isUpper;
  while (true) {
    const at = blockOf(chain, block);
    store<i16>(at, <i16>(<i32>load<i16>(at) + above));
    const ways = <i32>load<u8>(WAYS + <usize>block);
    if (ways === NO_GROUP) return;
    above = (ways >> above) & 1;
    block--;
  }
}
