/**
 * Lookup tables for Huffman decoding (T.81 Annex C and F.2.2.3). One entry gives a whole symbol if the code
 * and its value's extra bits all lie in the next LOOKUP_BITS bits.
 *
 * An entry, 32 bits:
 *   bits 0–5    bits used up, code and extra bits together; 0: a "slow" entry, see below
 *   bits 8–15   run: how many places to move before the value is stored
 *   bits 16–31  value, signed
 * A slow entry:
 *   bits 8–15   run
 *   bits 16–19  size: extra bits that follow the code
 *   bits 20–24  length of the code; 0: the code is longer than LOOKUP_BITS, or invalid
 */

import { alloc } from '../../memory';
import { Decoder } from './state';

export const LOOKUP_BITS: i32 = 10;
/** Shift that leaves the next LOOKUP_BITS bits of a left-aligned 64-bit accumulator. */
export const LOOKUP_SHIFT: u64 = 64 - LOOKUP_BITS;

/** What a table's symbols mean. */
export const enum TableKind {
  /** DC differences: symbol = size. */
  Dc = 0,
  /** Sequential AC: symbol = run and size; end of block is a run past the block. */
  Ac = 1,
  /** Progressive AC, first scan: as Ac, but end-of-band runs stay slow entries of size 0. */
  AcFirst = 2,
  /** Progressive AC, refinement: entries without extra bits; the run, and the size as the value. */
  AcRefine = 3,
}

/**
 * The run of an end of block: leads to the dummy slots of the zigzag table, and is longer than any real run.
 */
export const END_OF_BLOCK: u32 = 128;

const LIMITS: usize = (1 << LOOKUP_BITS) * 4;
const OFFSETS: usize = LIMITS + 17 * 4;
const VALUES: usize = OFFSETS + 17 * 4;
const KIND: usize = VALUES + sizeof<usize>();
const DEFINITION: usize = KIND + 4;
const NEXT: usize = DEFINITION + sizeof<usize>();
/** Bytes of one lookup table. */
export const TABLE_BYTES: usize = NEXT + sizeof<usize>();

/** The extra bits' value (T.81 F.2.2.1, EXTEND). @param size 1 to 15 */
// @inline
export function extend(bits: i32, size: i32): i32 {
  return bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}

/** How many extra bits follow an entry's code. */
export function sizeOf(entry: u32): i32 {
  if (!(entry & 63)) return (entry >> 16) & 15;
  return 32 - <i32>clz(abs(<i32>entry >> 16));
}

/** Length of an entry's code, without its `size` extra bits; 0 if the entry does not tell. */
export function codeLength(entry: u32, size: i32): i32 {
  return entry & 63 ? <i32>(entry & 63) - size : <i32>(entry >> 20);
}

/**
 * The lookup table for a definition in the file (16 counts, then values; already known to lie inside the
 * file). Built once per definition and kind.
 * @returns 0 when the counts are not a prefix code or a symbol is invalid; 1 when there is no memory
 */
export function lookupTable(decoder: Decoder, definition: usize, kind: TableKind): usize {
  for (let at = decoder.tables; at; at = load<usize>(at + NEXT)) {
    if (load<usize>(at + DEFINITION) === definition && load<i32>(at + KIND) === kind) return at;
  }
  const table = alloc(TABLE_BYTES);
  if (!table) return 1;
  if (!build(table, definition, kind)) return 0;
  store<usize>(table + DEFINITION, definition);
  store<usize>(table + NEXT, decoder.tables);
  decoder.tables = table;
  return table;
}

/** The slow entry for a symbol. */
// @inline
function slowEntry(symbol: i32, length: i32, kind: TableKind): u32 {
  const size: u32 = symbol & 15;
  let run: u32 = kind === TableKind.Dc ? 0 : symbol >> 4;
  if (kind === TableKind.Ac && size === 0 && run !== 15) run = END_OF_BLOCK;
  return (run << 8) | (size << 16) | ((<u32>length) << 20);
}

function build(table: usize, definition: usize, kind: TableKind): bool {
  memory.fill(table, 0, LIMITS);
  const values = definition + 16;
  store<usize>(table + VALUES, values);
  store<i32>(table + KIND, kind);
  let code: i32 = 0;
  let index: i32 = 0;
  for (let length: i32 = 1; length <= 16; length++) {
    const count = <i32>load<u8>(definition + length - 1);
    store<i32>(table + OFFSETS + (length << 2), index - code);
    for (let i: i32 = 0; i < count; i++) {
      const symbol = <i32>load<u8>(values + index);
      if (kind === TableKind.Dc && symbol > 15) return false;
      if (code >= 1 << length) return false;
      if (length <= LOOKUP_BITS) fillEntries(table, symbol, code, length, kind);
      code++;
      index++;
    }
    // The first 16-bit string above every code of this length.
    store<i32>(table + LIMITS + (length << 2), code << (16 - length));
    code <<= 1;
  }
  return true;
}

/** Writes the entries of every bit string that starts with the code. */
function fillEntries(table: usize, symbol: i32, code: i32, length: i32, kind: TableKind): void {
  const spare = LOOKUP_BITS - length;
  const first = table + (((<usize>code) << spare) << 2);
  const slow = slowEntry(symbol, length, kind);
  const size: i32 = symbol & 15;
  const run = (slow >> 8) & 255;
  for (let rest: i32 = 0; rest < 1 << spare; rest++) {
    let entry = slow;
    if (kind === TableKind.AcRefine) {
      entry = <u32>length | (run << 8) | ((<u32>size) << 16);
    } else if (size === 0) {
      const endOfBand = kind === TableKind.AcFirst && run !== 15;
      if (!endOfBand) entry = <u32>length | (run << 8);
    } else if (size <= spare) {
      const value = extend(rest >> (spare - size), size);
      entry = <u32>(length + size) | (run << 8) | ((<u32>value) << 16);
    }
    store<u32>(first + ((<usize>rest) << 2), entry);
  }
}

/**
 * The slow entry of a code longer than LOOKUP_BITS.
 * @param bits the next 16 bits
 * @returns 0 when no code starts these bits
 */
export function longCode(table: usize, bits: i32): u32 {
  let length: i32 = LOOKUP_BITS + 1;
  while (length <= 16) {
    if (bits < load<i32>(table + LIMITS + (length << 2))) {
      const index = (bits >> (16 - length)) + load<i32>(table + OFFSETS + (length << 2));
      const symbol = <i32>load<u8>(load<usize>(table + VALUES) + index);
      return slowEntry(symbol, length, <TableKind>load<i32>(table + KIND));
    }
    length++;
  }
  return 0;
}
