/**
 * DC levels of a segment's blocks: each the one below the exact value or the one above, whichever makes the
 * chain of differences (T.81 F.1.1.5.1) cheapest by D · weight + bits.
 *
 * Both are tried only where their errors are nearly alike (`DC_NEAR`, quantise.ts), in groups between blocks
 * that get the nearest level in any case, as in trellis.ts.
 */
import { DC_PRICES } from './prices';
import { DC_NEAR, DC_WEIGHT, QUANT_STEPS } from './quantise';
import { sizeOf } from './tokens';

/** Of each block which level before it leads to its lower one (bit 0) and to its upper one (bit 1). */
const WAYS: usize = memory.data(128);

/** Four sums of 8 × 8 samples' quarters, or of two such blocks beside each other their halves. */
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
 * The DCs of blocks of samples side by side, eight times too large: forwardDct (fdct.ts) has the same, to the
 * bit. @returns the place after them
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
 * @param chain exact DCs of `count` blocks, at most 128, i16; they become differences of levels
 * @param last where the level before the first of them is, and then that of the last of them
 * @param prices of the class: see prices.ts
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

/** To the nearest, halves away from zero, as quantise.ts has it. */
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
  // The two levels of the block before, and what leads there costs; one level where no group is open.
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

/** In WAYS, of a group's first block. */
const NO_GROUP: i32 = 4;

/** Settles the levels of a group, from its last block back. */
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
