/**
 * Prefix codes of VP8L (WebP lossless bitstream specification, section 6.2.1) and their decoding tables.
 *
 * A table has entries of 16 bits. The first 2^rootBits of them are indexed by the next bits of the stream:
 *   bits 0–3   0 to 8: the codeword's length; 9 to 15: a link, and 8 plus the index bits of its sub-table
 *   bits 4–15  the symbol, or where the sub-table begins
 * In a sub-table, bits 0–3 are the length of the whole codeword.
 */
import { LENGTH_PREFIXES, LITERALS } from '../common/alphabets';
import { BitReader, overrun, readBits, refill } from './bits';

/** Longest codeword, and longest of the code of the code lengths (section 6.2.1). */
const MAX_LENGTH: u32 = 15;
const ROOT_BITS: u32 = 8;

/** Section 5.2.3: at most 11 bits. */
export const MAX_CACHE_BITS: u32 = 11;
export const MAX_SYMBOLS: i32 = LITERALS + LENGTH_PREFIXES + (1 << MAX_CACHE_BITS);

/**
 * Entries that suffice for any complete code, as computed by zlib's examples/enough.c: `enough 2328 8 15`,
 * `enough 256 8 15`, `enough 40 8 15`.
 */
export const GREEN_ENTRIES: i32 = 2704;
export const COLOUR_ENTRIES: i32 = 630;
export const DISTANCE_ENTRIES: i32 = 410;

/** Order of the code length code's lengths (section 6.2.1, kCodeLengthCodeOrder). */
const lengthOrder = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
const LENGTH_SYMBOLS: i32 = 19;
/** What symbol 16 repeats before any length (section 6.2.1). */
const FIRST_LENGTH: u32 = 8;

/**
 * Work space of one build: the number of codes by length, and where in `sorted` each length's symbols begin.
 */
const counts = memory.data(16 * 4);
const offsets = memory.data(17 * 4);
/** The code length code's lengths and table. */
const lengthLengths = memory.data(LENGTH_SYMBOLS);
const lengthTable = memory.data((1 << 7) * 2);

/** Work space for reading a code: a byte and a u16 per symbol. */
@unmanaged
export class CodeScratch {
  lengths: usize;
  sorted: usize;
  /** Number of symbols of all normal codes so far: a measure of what reading them costs. */
  symbols: i32;
}

/** The next codeword of `length` bits, counting upwards with the bits reversed. */
// @inline
function nextReversed(code: u32, length: u32): u32 {
  const ones = ~code & ((1 << length) - 1);
  if (ones === 0) return 0;
  const bit: u32 = 1 << (31 - clz(ones));
  return (code & (bit - 1)) | bit;
}

/**
 * Builds the table of a code whose `symbols` lengths are bytes at `lengths`. A code with a single symbol
 * takes no bits, whatever its length; any other must be complete.
 * @param capacity entries that `table` has room for
 * @returns entries << 4 | root bits; 0 if the code is invalid
 */
function buildTable(lengths: usize, symbols: i32, sorted: usize, table: usize, capacity: u32): u32 {
  memory.fill(counts, 0, 16 * 4);
  for (let i = 0; i < symbols; i++) {
    const at = counts + ((<usize>load<u8>(lengths + i)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  const used = symbols - load<i32>(counts);
  if (used === 0) return 0;
  let longest: u32 = MAX_LENGTH;
  while (load<u32>(counts + (longest << 2)) === 0) longest--;

  let open: i32 = 1;
  store<u32>(offsets, 0, 4);
  for (let length: u32 = 1; length <= MAX_LENGTH; length++) {
    const count = load<u32>(counts + (length << 2));
    open = (open << 1) - <i32>count;
    if (open < 0) return 0;
    store<u32>(offsets + (length << 2), load<u32>(offsets + (length << 2)) + count, 4);
  }
  if (open > 0 && used > 1) return 0;
  for (let i = 0; i < symbols; i++) {
    const length = <u32>load<u8>(lengths + i);
    if (length === 0) continue;
    const slot = load<u32>(offsets + (length << 2));
    store<u32>(offsets + (length << 2), slot + 1);
    store<u16>(sorted + (slot << 1), <u16>i);
  }
  if (used === 1) {
    store<u16>(table, <u16>(load<u16>(sorted) << 4));
    return 1 << 4;
  }
  const rootBits = min(longest, ROOT_BITS);
  const entries = fillTable(sorted, table, capacity, rootBits, longest);
  return entries === 0 ? 0 : (entries << 4) | rootBits;
}

/** @returns the number of entries, 0 if there would be more than `capacity` */
function fillTable(sorted: usize, table: usize, capacity: u32, rootBits: u32, longest: u32): u32 {
  const size: u32 = 1 << rootBits;
  let code: u32 = 0;
  let next = sorted;
  let nextFree = size;
  let subStart: u32 = 0;
  let subBits: u32 = 0;
  let subPrefix: u32 = 0xffff_ffff;
  for (let length: u32 = 1; length <= longest; length++) {
    for (let count = load<u32>(counts + (length << 2)); count > 0; count--, next += 2) {
      const entry = <u16>(((<u32>load<u16>(next)) << 4) | length);
      if (length <= rootBits) {
        for (let at = code; at < size; at += 1 << length) store<u16>(table + (at << 1), entry);
      } else {
        const prefix = code & (size - 1);
        if (prefix !== subPrefix) {
          // As wide as the codes with this prefix need: grow until they fill it.
          subPrefix = prefix;
          subStart = nextFree;
          subBits = length - rootBits;
          let used = count;
          while (used < (<u32>1) << subBits && rootBits + subBits < longest) {
            subBits++;
            used = (used << 1) + load<u32>(counts + ((rootBits + subBits) << 2));
          }
          nextFree += 1 << subBits;
          if (nextFree > capacity) return 0;
          store<u16>(table + (prefix << 1), <u16>((subStart << 4) | (ROOT_BITS + subBits)));
        }
        const step: u32 = 1 << (length - rootBits);
        const end: u32 = 1 << subBits;
        for (let at = code >> rootBits; at < end; at += step) {
          store<u16>(table + ((subStart + at) << 1), entry);
        }
      }
      code = nextReversed(code, length);
    }
  }
  return nextFree;
}

/** The entry for the next bits: a symbol << 4 | the bits of its codeword. */
// @inline
export function lookUp(table: usize, mask: u32, bits: u64): u32 {
  const entry = <u32>load<u16>(table + ((<u32>bits & mask) << 1));
  const length = entry & 15;
  if (length <= ROOT_BITS) return entry;
  const inner = <u32>(bits >> ROOT_BITS) & ((1 << (length - ROOT_BITS)) - 1);
  return <u32>load<u16>(table + (((entry >> 4) + inner) << 1));
}

/**
 * Reads one prefix code and builds its table.
 * @param symbols the size of its alphabet
 * @returns as `buildTable`
 */
export function readCode(
  reader: BitReader,
  symbols: i32,
  scratch: CodeScratch,
  table: usize,
  capacity: u32,
): u32 {
  if (readBits(reader, 1)) return readSimpleCode(reader, symbols, table);
  scratch.symbols += symbols;
  memory.fill(scratch.lengths, 0, symbols);
  if (!readLengths(reader, symbols, scratch) || overrun(reader)) return 0;
  return buildTable(scratch.lengths, symbols, scratch.sorted, table, capacity);
}

/**
 * Simple code length code (section 6.2.1, i): one symbol, or two with one bit each. Symbols outside the
 * alphabet get no code.
 */
function readSimpleCode(reader: BitReader, symbols: i32, table: usize): u32 {
  const two = readBits(reader, 1);
  const wide = readBits(reader, 1);
  const first = readBits(reader, wide ? 8 : 1);
  const second = two ? readBits(reader, 8) : first;
  const low = min(first, second);
  const high = max(first, second);
  if (overrun(reader) || <i32>low >= symbols) return 0;
  if (low === high || <i32>high >= symbols) {
    store<u16>(table, <u16>(low << 4));
    return 1 << 4;
  }
  store<u16>(table, <u16>((low << 4) | 1));
  store<u16>(table, <u16>((high << 4) | 1), 2);
  return (2 << 4) | 1;
}

/** Normal code length code (section 6.2.1, ii). */
function readLengths(reader: BitReader, symbols: i32, scratch: CodeScratch): bool {
  memory.fill(lengthLengths, 0, LENGTH_SYMBOLS);
  const given = readBits(reader, 4) + 4;
  for (let i: u32 = 0; i < given; i++) {
    store<u8>(lengthLengths + load<u8>(lengthOrder + i), <u8>readBits(reader, 3));
  }
  const built = buildTable(lengthLengths, LENGTH_SYMBOLS, scratch.sorted, lengthTable, 1 << 7);
  if (built === 0) return false;
  const mask: u32 = (1 << (built & 15)) - 1;

  let tokens = symbols;
  if (readBits(reader, 1)) {
    const width = 2 + 2 * readBits(reader, 3);
    tokens = <i32>readBits(reader, width) + 2;
    if (tokens > symbols) return false;
  }
  const lengths = scratch.lengths;
  let last = FIRST_LENGTH;
  for (let i = 0; i < symbols && tokens > 0; tokens--) {
    // A codeword of at most 7 bits, and 7 that follow it.
    if (reader.count < 14) refill(reader);
    const entry = lookUp(lengthTable, mask, reader.bits);
    reader.bits >>= entry & 15;
    reader.count -= entry & 15;
    const symbol = entry >> 4;
    if (symbol < 16) {
      if (symbol !== 0) last = symbol;
      store<u8>(lengths + i, <u8>symbol);
      i++;
      continue;
    }
    const repeat = <i32>(
      (symbol === 16
        ? readBits(reader, 2) + 3
        : symbol === 17
          ? readBits(reader, 3) + 3
          : readBits(reader, 7) + 11)
    );
    if (i + repeat > symbols) return false;
    memory.fill(lengths + i, symbol === 16 ? <u8>last : 0, repeat);
    i += repeat;
  }
  return true;
}
