/** Chooses coefficient probabilities from counted tokens (RFC 6386 section 13.4). */
import { DEFAULT_PROBABILITIES, UPDATE_PROBABILITIES } from '../common/coefficient_probabilities';
import { ALL_NODES } from '../common/token_tree';
import { onePrice, zeroPrice } from './bit_price';
import { putBit, putLiteral } from './bool_writer';
import { BoolWriter } from './state';

export const STATISTICS_BYTES: usize = ALL_NODES * 8;

/** Price of a changed probability: eight bits, without the flag. */
const UPDATE_PRICE: u64 = 8 * 256;

/** The probability chosen by the last call of `cheapest`. */
let chosen: i32 = 0;

/**
 * The least price of a node's bits, in 256ths: with its default probability, or with its own, update
 * included.
 */
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
 * Changes each probability where that makes the counted tokens cheaper, update included; others get the
 * default.
 * @param scale how many macroblocks stand behind each one counted
 */
export function chooseProbabilities(probabilities: usize, statistics: usize, scale: i32): void {
  for (let i: usize = 0; i < ALL_NODES; i++) {
    const zeros = <u64>load<u32>(statistics + (i << 3)) * scale;
    const ones = <u64>load<u32>(statistics + (i << 3), 4) * scale;
    cheapest(i, zeros, ones);
    store<u8>(probabilities + i, chosen);
  }
}

/** Writes the probabilities' part of the header. */
export function writeProbabilities(writer: BoolWriter, probabilities: usize): void {
  for (let i: usize = 0; i < ALL_NODES; i++) {
    const own = <i32>load<u8>(probabilities + i);
    const updated = own !== <i32>load<u8>(DEFAULT_PROBABILITIES + i);
    putBit(writer, <i32>updated, load<u8>(UPDATE_PROBABILITIES + i));
    if (updated) putLiteral(writer, own, 8);
  }
}
