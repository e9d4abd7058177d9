/** How far back a match may reach, and its lengths (RFC 1951 sections 2 and 3.2.5). */
export const HISTORY: u32 = 32768;
export const LEAST_MATCH: u32 = 3;
export const LONGEST_MATCH: u32 = 258;

/** The most bytes that one feed may bring. */
export const INPUT_BYTES: u32 = 65536;

/**
 * Bytes that must stand behind a position before it is looked at, unless the input ends there: a match, and
 * the one after.
 */
export const LOOKAHEAD: u32 = LONGEST_MATCH + 4;

/** Wide loads read beyond the last byte. */
const SLACK: u32 = 64;
const WINDOW_BYTES: u32 = HISTORY + LOOKAHEAD + INPUT_BYTES + SLACK;

/** Positions start here, so that an empty entry of a table (0) lies too far back to be taken for one. */
export const FIRST_POSITION: u32 = HISTORY * 2;

export const HASH_BITS: u32 = 15;
export const SHORT_HASH_BITS: u32 = 14;

/** Symbols of literals and lengths, and of distances (RFC 1951 section 3.2.5). */
export const LITERALS: u32 = 286;
export const DISTANCES: u32 = 30;
export const END_OF_BLOCK: u32 = 256;

/** A block ends with so many symbols: the statistics of pictures change about as fast. */
export const BLOCK_SYMBOLS: u32 = 24576;
/** Symbols that a step of parsing may pass that by. */
export const SYMBOL_SPARE: u32 = 512;

/** No symbol is longer: code and extra bits of a length (15 + 5), then of its distance (15 + 13). */
const SYMBOL_BYTES: u32 = 6;
/** The lengths of all codes, as the header of a block has them, are shorter than that. */
const HEADER_BYTES: u32 = 1024;

/** Tokens: a byte, or MATCH + length - LEAST_MATCH and then distance - 1 (u16 each). */
export const MATCH: u32 = 256;
const TOKEN_BYTES: u32 = (BLOCK_SYMBOLS + SYMBOL_SPARE) * 4;

/** One deflate stream of RFC 1950. */
@unmanaged
export class Deflate {
  /** Address of what would be position 0: that of position p is `origin + p`. */
  origin: usize;
  /** The next byte to be looked at, and the end of those fed. */
  position: u32;
  end: u32;
  /** Output not yet taken: [out, written). */
  out: usize;
  written: usize;
  /** Bits not yet written, lowest first; at most 7 between two symbols. */
  bits: u64;
  count: u32;
  adler: u32;
  tokensEnd: usize;
  symbols: u32;
  window: usize;
  /**
   * By hash of four bytes, the last position that had it; by position, how far back the one before it lies, 0
   * for none.
   */
  heads: usize;
  chains: usize;
  /** By hash of three bytes, the lower half (u16) of the last position: what stands there is compared. */
  shortHeads: usize;
  tokens: usize;
  /** How often each symbol stands among the tokens (u32). */
  literalCounts: usize;
  distanceCounts: usize;
}

const STRUCT_BYTES: u32 = 128;
const OUT_BYTES: u32 = (BLOCK_SYMBOLS + SYMBOL_SPARE) * SYMBOL_BYTES + HEADER_BYTES;

/** Bytes one stream takes. */
export const STATE_BYTES: u32 =
  STRUCT_BYTES +
  ((WINDOW_BYTES + 15) & ~15) +
  (4 << HASH_BITS) +
  HISTORY * 2 +
  (2 << SHORT_HASH_BITS) +
  TOKEN_BYTES +
  (LITERALS + DISTANCES + 4) * 4 +
  OUT_BYTES;

/**
 * A new stream at an address, its header (RFC 1950 section 2.2: 32 KB of history, no dictionary) already
 * written.
 */
export function place(at: usize): void {
  const s = changetype<Deflate>(at);
  memory.fill(at, 0, STRUCT_BYTES);
  let next = at + STRUCT_BYTES;
  s.window = next;
  next += (WINDOW_BYTES + 15) & ~15;
  s.heads = next;
  next += 4 << HASH_BITS;
  s.chains = next;
  next += HISTORY * 2;
  s.shortHeads = next;
  next += 2 << SHORT_HASH_BITS;
  s.tokens = next;
  next += TOKEN_BYTES;
  s.literalCounts = next;
  next += LITERALS * 4;
  s.distanceCounts = next;
  next += (DISTANCES + 4) * 4;
  s.out = next;
  s.tokensEnd = s.tokens;
  s.adler = 1;
  s.origin = s.window - <usize>FIRST_POSITION;
  s.position = s.end = FIRST_POSITION;
  // Chains are only read where a head leads into them.
  memory.fill(s.heads, 0, 4 << HASH_BITS);
  memory.fill(s.shortHeads, 0, 2 << SHORT_HASH_BITS);
  memory.fill(s.literalCounts, 0, LITERALS * 4);
  memory.fill(s.distanceCounts, 0, DISTANCES * 4);
  store<u8>(s.out, 0x78);
  store<u8>(s.out, 0x9c, 1);
  s.written = s.out + 2;
}
