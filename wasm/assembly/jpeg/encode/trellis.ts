/**
 * Which of a block's AC coefficients are worth their bits: the choice of least D · weight + bits among all
 * that keep each level, lower it by one where that takes a bit less, or drop it if it is one.
 *
 * A step is a coefficient that is kept; what it costs depends on the one kept before it alone (its run), so
 * that the best way to each is found from the best ways to those before (dynamic programming). A way that
 * ends earlier and costs more than another is never continued: what is left is a stack of ways, cheapest and
 * shortest at its bottom.
 */
import { EOB_PRICE } from './prices';
import { INVERSES, WEIGHTS } from './quantise';
import { OFFSET, sizeOf } from './tokens';

/** Of each kept coefficient, the block's start as the first: the least cost of a way that ends there. */
const COST: usize = memory.data(64 * 4, 16);
const PLACE: usize = memory.data(64 * 4, 16);
/** The kept coefficient before it. */
const BEFORE: usize = memory.data(64 * 4, 16);
/** 1 where the level is lowered. */
const LOWERED: usize = memory.data(64 * 4, 16);
/** Ways that may be continued. */
const OPEN: usize = memory.data(64 * 4, 16);

// @inline
function at(table: usize, index: i32): usize {
  return table + ((<usize>index) << 2);
}

/**
 * @param coefficients 64 i16, natural order, eight times too large
 * @param levels the same, quantised; some are lowered
 * @param mask one bit a zigzag place whose level is not zero
 * @param table of the quantisation
 * @param prices of the class: see prices.ts
 * @returns the mask of what is kept; what it leaves out counts as zero. Only levels of 1 are left out, so
 *   that a coefficient is off by less than one and a half steps.
 */
export function keptOf(coefficients: usize, levels: usize, mask: u64, table: usize, prices: usize): u64 {
  const dc = mask & 1;
  mask &= ~1;
  if (mask === 0) return dc;
  let last = 0;
  let top = 0;
  store<f32>(COST, 0);
  store<i32>(PLACE, 0);
  store<i32>(OPEN, 0);
  while (mask !== 0) {
    const place = <i32>ctz(mask);
    mask &= mask - 1;
    const offset = <usize>load<u8>(OFFSET + place);
    const level = abs(<i32>load<i16>(levels + offset));
    const exact = <f32>abs(<i32>load<i16>(coefficients + offset)) * load<f32>(at(table, place), INVERSES);
    const weight = load<f32>(at(table, place), WEIGHTS);
    // Distortions are told from that of a zero: (exact − level)² − exact².
    const distortion = weight * <f32>level * (<f32>level - 2 * exact);
    const less = level - 1;
    const lesser = weight * <f32>less * (<f32>less - 2 * exact);
    // Only a power of two takes a bit less when it is lowered.
    const mayBeLess = less !== 0 && (level & less) === 0;
    const priceOfSize = prices + ((<usize>sizeOf(level)) << 2);
    let best: f32 = f32.MAX_VALUE;
    let before = 0;
    let lowered = 0;
    for (let i = top; i >= 0; i--) {
      const way = load<i32>(at(OPEN, i));
      const run = place - load<i32>(at(PLACE, way)) - 1;
      const price = priceOfSize + ((<usize>run) << 6);
      const cost = load<f32>(at(COST, way));
      const whole = cost + load<f32>(price) + distortion;
      if (whole < best) {
        best = whole;
        before = way;
        lowered = 0;
      }
      if (mayBeLess) {
        const cheaper = cost + load<f32>(price - 4) + lesser;
        if (cheaper < best) {
          best = cheaper;
          before = way;
          lowered = 1;
        }
      }
    }
    last++;
    store<f32>(at(COST, last), best);
    store<i32>(at(PLACE, last), place);
    store<i32>(at(BEFORE, last), before);
    store<i32>(at(LOWERED, last), lowered);
    if (level > 1) top = -1;
    else while (top >= 0 && load<f32>(at(COST, load<i32>(at(OPEN, top)))) >= best) top--;
    top++;
    store<i32>(at(OPEN, top), last);
  }
  // All ways but one to the last place of the block need its end to be told.
  let way = load<i32>(OPEN);
  if (load<i32>(at(PLACE, last)) === 63) {
    const ended = load<f32>(at(COST, way)) + load<f32>(prices, EOB_PRICE);
    if (load<f32>(at(COST, last)) < ended) way = last;
  }
  let kept = dc;
  while (way !== 0) {
    const place = load<i32>(at(PLACE, way));
    kept |= (<u64>1) << (<u64>place);
    if (load<i32>(at(LOWERED, way)) !== 0) {
      const level = levels + <usize>load<u8>(OFFSET + place);
      const value = <i32>load<i16>(level);
      store<i16>(level, <i16>(value < 0 ? value + 1 : value - 1));
    }
    way = load<i32>(at(BEFORE, way));
  }
  return kept;
}
