/** One block's coefficient tokens (RFC 6386 section 13): the decoder's hot loop. */
import { bytesAt, isBeyond, normalisation, splitAt } from './bool_reader';
import { BoolReader } from './state';

export const BLOCK_TYPES: i32 = 4;
export const POSITIONS: i32 = 16;
/**
 * Contexts of a token: what came before it, a zero, a one or more. For a block's first token: how many of its
 * two neighbours have coefficients.
 */
export const CONTEXTS: i32 = 3;
/** Nodes of the token tree; and bytes from one context's nodes to the next. */
export const NODES: usize = 11;
const NODES_BYTES: usize = 16;
const POSITION_BYTES: usize = 48;
const TYPE_BYTES: usize = 768;

/**
 * Bytes of all probabilities, stored by position rather than by band, which saves a look-up per coefficient.
 */
export const PROBABILITIES_BYTES: usize = 3072;

/** Address of the token tree's probabilities for a type, position and context. */
// @inline
export function nodesAt(probabilities: usize, type: i32, position: i32, context: i32): usize {
  return (
    probabilities + <usize>type * TYPE_BYTES + <usize>position * POSITION_BYTES + <usize>context * NODES_BYTES
  );
}

/** Byte offsets of coefficients in the order they are coded (section 13). */
const ZIGZAG: usize = memory.data<u8>([0, 2, 8, 16, 10, 4, 6, 12, 18, 24, 26, 20, 14, 22, 28, 30]);

/** The token tree from its fourth node on, two entries per node: the next node, or LEAF and a LargeToken. */
const LEAF: i32 = 16;
const FIRST_LARGE_NODE: i32 = 3;
const LARGE_TREE: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 4, 6, 16, 5, 17, 18, 7, 8, 19, 20, 9, 10, 21, 22, 23, 24,
]);
/**
 * For each large token (two, three, four, and the six categories): its smallest value, and where the
 * probabilities of its extra bits begin.
 */
const LARGE_VALUES: usize = memory.data<u8>([2, 3, 4, 5, 7, 11, 19, 35, 67]);
const EXTRA_BITS: usize = memory.data<u8>([0, 0, 0, 1, 3, 6, 10, 15, 21]);
/** Probabilities of extra bits, each category's ended by 0 (section 13.2). */
const EXTRA_PROBABILITIES: usize = memory.data<u8>([
  0, 159, 0, 165, 145, 0, 173, 148, 140, 0, 176, 155, 140, 135, 0, 180, 157, 141, 134, 130, 0, 254, 254, 243,
  230, 196, 177, 153, 140, 133, 130, 129, 0,
]);

/**
 * Reads a block's tokens and stores their values, dequantised and cut to 16 bits.
 * @param probabilities those of the block's type
 * @param context how many of the blocks above and to the left have coefficients
 * @param first 1 if the DC is coded elsewhere, else 0
 * @param dc, ac dequantisation factors
 * @param to 16 i16, zeroed
 * @returns the place after the last coefficient, in coded order; `first` if there is none
 */
export function readBlock(
  reader: BoolReader,
  probabilities: usize,
  context: i32,
  first: i32,
  dc: i32,
  ac: i32,
  to: usize,
): i32 {
  const end = reader.end;
  let value = reader.value;
  let position = reader.position;
  let range = reader.range;
  let bits = reader.bits;
  let place = first;
  let own = probabilities + <usize>first * POSITION_BYTES;
  let nodes = own + <usize>context * NODES_BYTES;
  while (place < POSITIONS) {
    // Whether there are more coefficients.
    let shift = normalisation(range);
    range <<= shift;
    value <<= <u64>shift;
    bits -= shift;
    if (bits < 0) {
      value |= bytesAt(position, end) >> <u64>(bits + 8);
      position += 7;
      bits += 56;
    }
    let split = splitAt(range, load<u8>(nodes));
    let threshold = (<u64>split) << 56;
    if (value < threshold) {
      range = split;
      break;
    }
    range -= split;
    value -= threshold;

    // Zeros. A non-zero coefficient always follows them, unless the block is full.
    while (true) {
      shift = normalisation(range);
      range <<= shift;
      value <<= <u64>shift;
      bits -= shift;
      if (bits < 0) {
        value |= bytesAt(position, end) >> <u64>(bits + 8);
        position += 7;
        bits += 56;
      }
      split = splitAt(range, load<u8>(nodes, 1));
      threshold = (<u64>split) << 56;
      if (value >= threshold) {
        range -= split;
        value -= threshold;
        break;
      }
      range = split;
      own += POSITION_BYTES;
      nodes = own;
      if (++place === POSITIONS) break;
    }
    if (place === POSITIONS) break;

    // One, or more.
    let level: i32 = 1;
    shift = normalisation(range);
    range <<= shift;
    value <<= <u64>shift;
    bits -= shift;
    if (bits < 0) {
      value |= bytesAt(position, end) >> <u64>(bits + 8);
      position += 7;
      bits += 56;
    }
    split = splitAt(range, load<u8>(nodes, 2));
    threshold = (<u64>split) << 56;
    own += POSITION_BYTES;
    if (value < threshold) {
      range = split;
      nodes = own + NODES_BYTES;
    } else {
      range -= split;
      value -= threshold;
      let node = FIRST_LARGE_NODE;
      do {
        shift = normalisation(range);
        range <<= shift;
        value <<= <u64>shift;
        bits -= shift;
        if (bits < 0) {
          value |= bytesAt(position, end) >> <u64>(bits + 8);
          position += 7;
          bits += 56;
        }
        split = splitAt(range, load<u8>(nodes + node));
        threshold = (<u64>split) << 56;
        if (value < threshold) {
          range = split;
          node = load<u8>(LARGE_TREE + (node << 1));
        } else {
          range -= split;
          value -= threshold;
          node = load<u8>(LARGE_TREE + (node << 1), 1);
        }
      } while (node < LEAF);
      nodes = own + 2 * NODES_BYTES;
      let extra = EXTRA_PROBABILITIES + load<u8>(EXTRA_BITS + (node - LEAF));
      let offset: i32 = 0;
      while (load<u8>(extra) !== 0) {
        shift = normalisation(range);
        range <<= shift;
        value <<= <u64>shift;
        bits -= shift;
        if (bits < 0) {
          value |= bytesAt(position, end) >> <u64>(bits + 8);
          position += 7;
          bits += 56;
        }
        split = splitAt(range, load<u8>(extra));
        threshold = (<u64>split) << 56;
        offset <<= 1;
        if (value < threshold) {
          range = split;
        } else {
          range -= split;
          value -= threshold;
          offset |= 1;
        }
        extra++;
      }
      level = <i32>load<u8>(LARGE_VALUES + (node - LEAF)) + offset;
    }

    // The sign, with even probability: without a branch, since none could be predicted.
    shift = normalisation(range);
    range <<= shift;
    value <<= <u64>shift;
    bits -= shift;
    if (bits < 0) {
      value |= bytesAt(position, end) >> <u64>(bits + 8);
      position += 7;
      bits += 56;
    }
    split = (range + 1) >> 1;
    threshold = (<u64>split) << 56;
    const negative = -(<i32>(value >= threshold));
    range = select(range - split, split, negative);
    value -= threshold & <u64>(<i64>negative);
    level = (level ^ negative) - negative;
    store<i16>(to + load<u8>(ZIGZAG + place), <i16>(level * (place > 0 ? ac : dc)));
    place++;
  }
  reader.value = value;
  reader.position = position;
  reader.range = range;
  reader.bits = bits;
  if (isBeyond(position, end, bits)) reader.ended = true;
  return place;
}
