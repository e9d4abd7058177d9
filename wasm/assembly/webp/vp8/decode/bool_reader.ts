/**
 * The boolean entropy decoder (RFC 6386 section 7.3), with up to 64 bits read ahead. The interval is
 * normalised before a bit is decoded, not after: so it is known exactly what was read past the end of a
 * partition.
 *
 * A partition has ended when fewer than 8 of its bits are left to decode the next bit from; libwebp gives up
 * there too. Until the end is checked, zeros follow.
 */
import { BoolReader } from './state';

/**
 * Starts at a partition's first byte. An empty partition has ended before anything is read, as in libwebp.
 * One that begins with 255 is treated as ended too: no encoder writes it, because the interval ends below
 * that, and libwebp's result depends on the size of its machine words.
 */
export function startReader(reader: BoolReader, from: usize, end: usize): void {
  reader.value = 0;
  reader.position = from;
  reader.end = end;
  reader.range = 255;
  reader.bits = -8;
  reader.ended = from >= end || load<u8>(from) === 255;
}

/** The next 8 bytes of a partition, the first one highest. */
// @inline
export function bytesAt(position: usize, end: usize): u64 {
  return position + 8 <= end ? bswap<u64>(load<u64>(position)) : lastBytesAt(position, end);
}

function lastBytesAt(position: usize, end: usize): u64 {
  let bytes: u64 = 0;
  for (let shift: u64 = 56; position < end; position++, shift -= 8) {
    bytes |= (<u64>load<u8>(position)) << shift;
  }
  return bytes;
}

/** How many bits `range` must be shifted up. */
// @inline
export function normalisation(range: i32): i32 {
  return clz<i32>(range) - 24;
}

/** The part of `range` that stands for 0. @param probability of 0, in 256ths */
// @inline
export function splitAt(range: i32, probability: i32): i32 {
  return 1 + (((range - 1) * probability) >> 8);
}

/** Whether more bits were read than there are. */
// @inline
export function isBeyond(position: usize, end: usize, bits: i32): bool {
  return <i32>(position - end) * 8 > bits;
}

/**
 * Walks a tree (RFC 6386 section 8.1).
 * @param tree i8, two for each node: the next node's place if positive, else the negated value
 * @param probabilities one byte a node
 */
export function readTree(reader: BoolReader, tree: usize, probabilities: usize): i32 {
  let value = reader.value;
  let range = reader.range;
  let bits = reader.bits;
  let node: i32 = 0;
  do {
    const shift = normalisation(range);
    range <<= shift;
    value <<= <u64>shift;
    bits -= shift;
    if (bits < 0) {
      value |= bytesAt(reader.position, reader.end) >> <u64>(bits + 8);
      reader.position += 7;
      bits += 56;
    }
    const split = splitAt(range, load<u8>(probabilities + (node >> 1)));
    const threshold = (<u64>split) << 56;
    if (value < threshold) {
      range = split;
      node = load<i8>(tree + node);
    } else {
      range -= split;
      value -= threshold;
      node = load<i8>(tree + node, 1);
    }
  } while (node > 0);
  reader.value = value;
  reader.range = range;
  reader.bits = bits;
  if (isBeyond(reader.position, reader.end, bits)) reader.ended = true;
  return -node;
}

/** The tree for a single bit. */
const BIT: usize = memory.data<i8>([0, -1]);
const HALF: usize = memory.data<u8>([128]);

/** @param probability address of one */
export function readBit(reader: BoolReader, probability: usize): bool {
  return readTree(reader, BIT, probability) !== 0;
}

/** Reads a bit with even probability. */
export function readFlag(reader: BoolReader): bool {
  return readBit(reader, HALF);
}

/** Reads an unsigned number of `bits` bits (L(n) in RFC 6386). */
export function readLiteral(reader: BoolReader, bits: i32): i32 {
  let value: i32 = 0;
  for (; bits > 0; bits--) value = (value << 1) | <i32>readFlag(reader);
  return value;
}

/** Reads a flag and, if it is set, a number of `bits` bits and its sign; else returns 0. */
export function readOptionalSigned(reader: BoolReader, bits: i32): i32 {
  if (!readFlag(reader)) return 0;
  const value = readLiteral(reader, bits);
  return readFlag(reader) ? -value : value;
}
