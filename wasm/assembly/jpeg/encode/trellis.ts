/**
 * Decides which of a block's levels of one are worth their bits: among all ways to keep or drop each, the one
 * with the least D · weight + bits.
 *
 * Only levels that may be dropped are considered (`weak`, quantise.ts), in groups between levels that are
 * kept in any case. A coefficient's cost depends only on the kept one before it (its run), so groups are
 * independent.
 */
import { EOB_PRICE, priceOf } from './prices';
import { GAINS, WEIGHTS } from './quantise';
import { OFFSET, sizeOf } from './tokens';

// @inline
function at(table: usize, index: i32): usize {
  return table + ((<usize>index) << 2);
}

// @inline
function bit(place: i32): u64 {
  return (<u64>1) << (<u64>place);
}

/** The cost, beside bits, of keeping a one instead of zero. */
// @inline
function distortionOf(coefficients: usize, place: i32, table: usize): i32 {
  const exact = abs(<i32>load<i16>(coefficients + <usize>load<u8>(OFFSET + place)));
  return load<i32>(at(table, place), WEIGHTS) - exact * load<i32>(at(table, place), GAINS);
}

/**
 * Chooses which levels to keep.
 * @param coefficients 64 i16, natural order, eight times too large
 * @param levels the same, quantised
 * @param mask one bit per zigzag place whose level is not zero
 * @param weak the levels among them that are one and may be dropped; not 0
 * @param table the quantisation table
 * @param prices the class's prices: see prices.ts
 * @returns the mask of the levels to keep; the others count as zero
 */
export function keptOf(
  coefficients: usize,
  levels: usize,
  mask: u64,
  weak: u64,
  table: usize,
  prices: usize,
): u64 {
  const strong = (mask & ~weak) | 1;
  const end = <i32>load<u16>(prices, EOB_PRICE);
  while (weak !== 0) {
    const first = bit(<i32>ctz(weak));
    const above = strong & -first;
    let group = above === 0 ? weak : weak & ((above & -above) - 1);
    weak ^= group;
    mask ^= group;
    // The cheapest choice so far, and the cheapest that keeps the current coefficient (new…): the last place
    // kept, the cost, the places kept.
    let place = 63 - <i32>clz(strong & (first - 1));
    let cost = 0;
    let kept: u64 = 0;
    let newPlace = place;
    let newCost = 0;
    let newKept: u64 = 0;
    do {
      const next = <i32>ctz(group);
      const short = newCost + priceOf(prices, next - newPlace - 1, 1);
      const long = cost + priceOf(prices, next - place - 1, 1);
      newKept = select(newKept, kept, short < long) | (group & -group);
      newCost = min(short, long) + distortionOf(coefficients, next, table);
      newPlace = next;
      const isCheapest = newCost < cost;
      place = select(next, place, isCheapest);
      cost = min(cost, newCost);
      kept = select(newKept, kept, isCheapest);
      group &= group - 1;
    } while (group !== 0);
    if (above !== 0) {
      const after = <i32>ctz(above);
      const size = sizeOf(load<i16>(levels + <usize>load<u8>(OFFSET + after)));
      newCost += priceOf(prices, after - newPlace - 1, size);
      cost += priceOf(prices, after - place - 1, size);
    } else {
      newCost += newPlace === 63 ? 0 : end;
      cost += place === 63 ? 0 : end;
    }
    mask |= select(newKept, kept, newCost < cost);
  }
  return mask;
}
