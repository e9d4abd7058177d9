/** Counts or writes a block's levels as tokens (RFC 6386 section 13). */

import {
  BAND_NODES,
  BAND_OF,
  CONTEXT_NODES,
  EXTRA_BITS,
  EXTRA_BYTES,
  EXTRA_PROBABILITIES,
  LARGE_PATH_BYTES,
  LARGE_PATHS,
  LARGE_VALUES,
  largeTokenOf,
} from '../common/token_tree';
import { putBit } from './bool_writer';
import { BoolWriter } from './state';

/** Adds to the count of a node's zeros or ones. */
// @inline
function count(nodes: usize, node: usize, bit: i32): void {
  const at = nodes + (node << 3) + ((<usize>bit) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/**
 * Counts a block's tokens.
 * @param statistics those of the block's type: two u32 per node, zeros and ones
 * @param first 1 if the DC is coded elsewhere, else 0
 * @param context how many of the blocks above and to the left have coefficients
 * @param last the place of the last non-zero level
 */
export function countTokens(statistics: usize, first: i32, context: i32, levels: usize, last: i32): void {
  let nodes = nodesAt(statistics, first, context, 8);
  if (last < first) {
    count(nodes, 0, 0);
    return;
  }
  let position = first;
  let afterZero = false;
  while (position <= last) {
    const value = abs(<i32>load<i16>(levels + ((<usize>position) << 1)));
    if (!afterZero) count(nodes, 0, 1);
    position++;
    if (value === 0) {
      count(nodes, 1, 0);
      nodes = nodesAt(statistics, position, 0, 8);
      afterZero = true;
      continue;
    }
    afterZero = false;
    count(nodes, 1, 1);
    count(nodes, 2, <i32>(value > 1));
    if (value > 1) {
      let path = LARGE_PATHS + <usize>largeTokenOf(value) * LARGE_PATH_BYTES;
      for (const end = path + LARGE_PATH_BYTES; path < end; path++) {
        const step = <i32>load<u8>(path);
        if (step === 0) break;
        count(nodes, <usize>(step >> 1), step & 1);
      }
    }
    nodes = nodesAt(statistics, position, min(value, 2), 8);
  }
  if (position < 16) count(nodes, 0, 0);
}

// @inline
function nodesAt(base: usize, position: i32, context: i32, bytes: usize): usize {
  const band = <usize>load<u8>(BAND_OF + position);
  return base + (band * BAND_NODES + <usize>context * CONTEXT_NODES) * bytes;
}

/** Writes a block's tokens; parameters as in countTokens. @param probabilities those of the block's type */
export function writeTokens(
  writer: BoolWriter,
  probabilities: usize,
  first: i32,
  context: i32,
  levels: usize,
  last: i32,
): void {
  let nodes = nodesAt(probabilities, first, context, 1);
  if (last < first) {
    putBit(writer, 0, load<u8>(nodes));
    return;
  }
  let position = first;
  let afterZero = false;
  while (position <= last) {
    const level = <i32>load<i16>(levels + ((<usize>position) << 1));
    const value = abs(level);
    if (!afterZero) putBit(writer, 1, load<u8>(nodes));
    position++;
    if (value === 0) {
      putBit(writer, 0, load<u8>(nodes, 1));
      nodes = nodesAt(probabilities, position, 0, 1);
      afterZero = true;
      continue;
    }
    afterZero = false;
    putBit(writer, 1, load<u8>(nodes, 1));
    putBit(writer, <i32>(value > 1), load<u8>(nodes, 2));
    if (value > 1) writeLarge(writer, nodes, value);
    putBit(writer, <i32>(level < 0), 128);
    nodes = nodesAt(probabilities, position, min(value, 2), 1);
  }
  if (position < 16) putBit(writer, 0, load<u8>(nodes));
}

function writeLarge(writer: BoolWriter, nodes: usize, value: i32): void {
  const token = <usize>largeTokenOf(value);
  let path = LARGE_PATHS + token * LARGE_PATH_BYTES;
  for (const end = path + LARGE_PATH_BYTES; path < end; path++) {
    const step = <i32>load<u8>(path);
    if (step === 0) break;
    putBit(writer, step & 1, load<u8>(nodes + <usize>(step >> 1)));
  }
  const extra = value - <i32>load<u16>(LARGE_VALUES + (token << 1));
  let at = EXTRA_PROBABILITIES + token * EXTRA_BYTES;
  for (let bit = <i32>load<u8>(EXTRA_BITS + token) - 1; bit >= 0; bit--, at++) {
    putBit(writer, (extra >> bit) & 1, load<u8>(at));
  }
}
