/** Coefficient probabilities from counted tokens (RFC 6386 section 13.4). */
import { DEFAULT_PROBABILITIES, UPDATE_PROBABILITIES } from '../common/coefficient_probabilities';
import { ALL_NODES } from '../common/token_tree';
import { onePrice, zeroPrice } from './bit_price';
import { putBit, putLiteral } from './bool_writer';
import { BoolWriter } from './state';

export const STATISTICS_BYTES: usize = ALL_NODES * 8;

/** What a changed probability costs: eight bits, beside the flag. */
const UPDATE_PRICE: u64 = 8 * 256;

/** The probability that the last call of `cheapest` found. */
let chosen: i32 = 0;

/** What a node's bits cost with its default or its own probability, in 256ths, the update included. */
export function cheapest(node: usize, zeros: u64, ones: u64): u64 {
  const old = <i32>load<u8>(DEFAULT_PROBABILITIES + node);
  const total = zeros + ones;
  const own = total > 0 ? <i32>min<u64>(255, max<u64>(1, (zeros * 256 + (total >> 1)) / total)) : old;
  const update = <i32>load<u8>(UPDATE_PROBABILITIES + node);
  const kept = zeros * zeroPrice(old) + ones * onePrice(old) + zeroPrice(update);
  const updated = zeros * zeroPrice(own) + ones * onePrice(own) + onePrice(update) + UPDATE_PRICE;
  chosen = updated < kept ? own : old;
  return min(updated, kept);
}

/**
 * Takes each probability that the counts make cheaper, its update included, and the default of all others.
 * @param scale how many macroblocks there are for each one counted
 */
export function chooseProbabilities(probabilities: usize, statistics: usize, scale: i32): void {
  for (let i: usize = 0; i < ALL_NODES; i++) {
    const zeros = <u64>load<u32>(statistics + (i << 3)) * scale;
    const ones = <u64>load<u32>(statistics + (i << 3), 4) * scale;
    cheapest(i, zeros, ones);
    store<u8>(probabilities + i, chosen);
  }
}

/** The header's part with them. */
export function writeProbabilities(writer: BoolWriter, probabilities: usize): void {
  for (let i: usize = 0; i < ALL_NODES; i++) {
    const own = <i32>load<u8>(probabilities + i);
    const updated = own !== <i32>load<u8>(DEFAULT_PROBABILITIES + i);
    putBit(writer, <i32>updated, load<u8>(UPDATE_PROBABILITIES + i));
    if (updated) putLiteral(writer, own, 8);
  }
}
