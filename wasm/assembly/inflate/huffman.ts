/**
 * Decoding tables for the canonical prefix codes of DEFLATE (RFC 1951 section 3.2.2).
 *
 * An entry is one u32:
 *   bits 0–7   bits to consume: codeword and extra bits together
 *   bits 8–12  codeword length alone (in a link: how many bits index the sub-table)
 *   bit 13     end of block
 *   bit 14     link to a sub-table at index `entry >> 16`
 *   bit 15     no plain length or distance: link, end of block, or a code that does not exist
 *   bits 16–30 base length, base distance, sub-table index or the literal
 *   bit 31     literal
 */
export const LITERAL: u32 = 0x8000_0000;
export const SPECIAL: u32 = 0x8000;
export const LINK: u32 = 0x4000;
export const END_OF_BLOCK: u32 = 0x2000;

/** Longest codeword (RFC 1951 section 3.2.7). */
const MAX_LENGTH: u32 = 15;

export const LITERAL_BITS: u32 = 11;
export const DISTANCE_BITS: u32 = 8;
export const PRECODE_BITS: u32 = 7;

/**
 * Entries that suffice for any code: the primary table and the sub-tables' worst case, as computed by zlib's
 * examples/enough.c: `enough 288 11 15` = 2342, `enough 32 8 15` = 402; rounded up.
 */
export const LITERAL_ENTRIES = 2400;
export const DISTANCE_ENTRIES = 416;
export const PRECODE_ENTRIES = 128;

export const KIND_PRECODE = 0;
export const KIND_LITERAL = 1;
export const KIND_DISTANCE = 2;

/** Base lengths of symbols 257–285 and their extra bits (RFC 1951 section 3.2.5). */
const lengthBase = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
]);
const lengthExtra = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);

/**
 * Working space of one build: code count and next symbol slot by length, and the symbols in canonical order.
 */
const counts = memory.data(16 * 4);
const offsets = memory.data(17 * 4);
const sorted = memory.data(288 * 2, 2);

/** What decoding `symbol` means, without its codeword length. */
function meaning(kind: i32, symbol: u32): u32 {
  if (kind === KIND_PRECODE) return symbol << 16;
  if (kind === KIND_LITERAL) {
    if (symbol < 256) return LITERAL | (symbol << 16);
    if (symbol === 256) return SPECIAL | END_OF_BLOCK;
    const at = symbol - 257;
    if (at >= 29) return SPECIAL;
    return ((<u32>load<u16>(lengthBase + (at << 1))) << 16) | load<u8>(lengthExtra + at);
  }
  if (symbol >= 30) return SPECIAL;
  // Distances: 1–4 plain, then two symbols for every further extra bit (RFC 1951 section 3.2.5).
  if (symbol < 4) return (symbol + 1) << 16;
  const extra = (symbol >> 1) - 1;
  return ((((2 + (symbol & 1)) << extra) + 1) << 16) | extra;
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
 * Builds the table of the code whose `symbols` lengths stand as bytes at `lengths`. Accepts what zlib
 * accepts: complete codes, a single one-bit code, and no code at all; except that the code of the code
 * lengths must be complete.
 * @returns the primary table's index bits (1 to `maxBits`), or -1 for an over-subscribed or incomplete code
 */
export function buildTable(kind: i32, lengths: usize, symbols: u32, table: usize, maxBits: u32): i32 {
  memory.fill(counts, 0, 16 * 4);
  for (let i: u32 = 0; i < symbols; i++) {
    const at = counts + ((<usize>load<u8>(lengths + i)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  let longest: u32 = MAX_LENGTH;
  while (longest > 0 && load<u32>(counts + (longest << 2)) === 0) longest--;

  let left: i32 = 1;
  store<u32>(offsets, 0, 4);
  for (let length: u32 = 1; length <= MAX_LENGTH; length++) {
    const count = load<u32>(counts + (length << 2));
    left = (left << 1) - <i32>count;
    if (left < 0) return -1;
    store<u32>(offsets + (length << 2), load<u32>(offsets + (length << 2)) + count, 4);
  }
  const bits: u32 = longest === 0 ? 1 : min(longest, maxBits);
  const size: u32 = 1 << bits;
  if (left > 0) {
    if (kind === KIND_PRECODE || longest > 1) return -1;
    for (let i: u32 = 0; i < size; i++) store<u32>(table + (i << 2), SPECIAL);
  }
  for (let i: u32 = 0; i < symbols; i++) {
    const length = <u32>load<u8>(lengths + i);
    if (length === 0) continue;
    const slot = load<u32>(offsets + (length << 2));
    store<u32>(offsets + (length << 2), slot + 1);
    store<u16>(sorted + (slot << 1), <u16>i);
  }

  let code: u32 = 0;
  let index: u32 = 0;
  let nextFree: u32 = size;
  let subStart: u32 = 0;
  let subBits: u32 = 0;
  let subPrefix: u32 = 0xffff_ffff;
  for (let length: u32 = 1; length <= longest; length++) {
    for (let count = load<u32>(counts + (length << 2)); count > 0; count--, index++) {
      const found = meaning(kind, <u32>load<u16>(sorted + (index << 1)));
      const entry = (found + length) | (length << 8);
      if (length <= bits) {
        for (let at = code; at < size; at += 1 << length) store<u32>(table + (at << 2), entry);
      } else {
        const prefix = code & (size - 1);
        if (prefix !== subPrefix) {
          // As wide as the codes that share this prefix need: grow until they fill it.
          subPrefix = prefix;
          subStart = nextFree;
          subBits = length - bits;
          let used = count;
          while (used < (<u32>1) << subBits && bits + subBits < longest) {
            subBits++;
            used = (used << 1) + load<u32>(counts + ((bits + subBits) << 2));
          }
          nextFree += 1 << subBits;
          store<u32>(table + (prefix << 2), (subStart << 16) | SPECIAL | LINK | (subBits << 8));
        }
        const step: u32 = 1 << (length - bits);
        const end: u32 = 1 << subBits;
        for (let at = code >> bits; at < end; at += step) store<u32>(table + ((subStart + at) << 2), entry);
      }
      code = nextReversed(code, length);
    }
  }
  return <i32>bits;
}
