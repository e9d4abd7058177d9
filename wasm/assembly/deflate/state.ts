/** How far back a match may reach, and its lengths (RFC 1951 sections 2 and 3.2.5). */
export const HISTORY: u32 = 32768;
export const LEAST_MATCH: u32 = 3;
export const LONGEST_MATCH: u32 = 258;

/** The most bytes that one feed may bring. */
export const INPUT_BYTES: u32 = 32768;

/**
 * Bytes that must stand behind a position before it is looked at, unless the input ends there: a match, and
 * the one after.
 */
export const LOOKAHEAD: u32 = LONGEST_MATCH + 4;

/** Wide loads read beyond the last byte. */
export const SLACK: u32 = 64;
const WINDOW_BYTES: u32 = HISTORY + LOOKAHEAD + INPUT_BYTES + SLACK;

/** Positions start here, so that what lies before the first is never reached. */
export const FIRST_POSITION: u32 = HISTORY * 2;

/** Entries of one table of positions (u16: the lower half; what stands there is compared). */
export const TABLE_BITS: u32 = 15;
export const TABLE_BYTES: usize = 2 << TABLE_BITS;
/** By the hash of some of the next bytes (nearest.ts, parse.ts). */
const TABLES_BYTES: u32 = 4 * <u32>TABLE_BYTES;

/**
 * Distances less 1 up to here have a price each; beyond, 128 of them share one, since their codes have seven
 * extra bits at the least.
 */
export const NEAR: u32 = 256;
/** Prices of literals, of lengths less 3, and of distances (u32 each). */
const PRICES_BYTES: u32 = (256 + 256 + 2 * NEAR) * 4;

/** The cheapest way is looked for over so many bytes at once, and a match more. */
export const SEGMENT: u32 = 1024;
/** A match of so many bytes is taken as it is: more of them where samples share bytes, and rows are short. */
const NICE: u32 = 20;
const NICE_OF_BITS: u32 = 64;
/** Nodes of a segment that are cleared at once. */
export const NODES_AT_ONCE: u32 = 128;
const NODES_BYTES: u32 = (SEGMENT + NICE_OF_BITS + NODES_AT_ONCE) * 8;

/** Symbols of literals and lengths, and of distances (RFC 1951 section 3.2.5). */
export const LITERALS: u32 = 286;
export const DISTANCES: u32 = 30;
export const END_OF_BLOCK: u32 = 256;

/** A block ends with so many symbols, or before (split.ts). */
export const BLOCK_SYMBOLS: u32 = 24576;
/** Symbols that a step of parsing may pass that by: a segment of literals, and a match. */
const SYMBOL_SPARE: u32 = SEGMENT + 16;

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
  /** By hash, the last position (nearest.ts). */
  tables: usize;
  /** By position, how far back lies the one before it that has its hash in the last table, 0 for none. */
  chains: usize;
  tokens: usize;
  /** How often each symbol stands among the tokens (u32). */
  literalCounts: usize;
  distanceCounts: usize;
  /** The same of the block before, in one array. */
  lastCounts: usize;
  /** What symbols cost (prices.ts), and how many this block had when that was made. */
  prices: usize;
  pricedAt: u32;
  /** Of the block's symbols those that stay in it (split.ts): how many, where their tokens end, and bits. */
  kept: u32;
  keptEnd: usize;
  /** As the last block's. */
  keptCounts: usize;
  keptBits: u32;
  /** With so many symbols a chunk is full. */
  chunkEnd: u32;
  /** Cheapest ways to the bytes of a segment (cheapest.ts). */
  nodes: usize;
  /** Bytes of a pixel where nodes are pixels (3), else 1, or 0 where samples share bytes. */
  unit: u32;
  /** The least match that is taken as it is. */
  nice: u32;
  /** Bytes of a row with its filter's, and where the present one starts. */
  rowBytes: u32;
  rowStart: u32;
}

const STRUCT_BYTES: u32 = 128;
const OUT_BYTES: u32 = (BLOCK_SYMBOLS + SYMBOL_SPARE) * SYMBOL_BYTES + HEADER_BYTES;

/** Bytes one stream takes. */
export const STATE_BYTES: u32 =
  STRUCT_BYTES +
  ((WINDOW_BYTES + 15) & ~15) +
  TABLES_BYTES +
  HISTORY * 2 +
  TOKEN_BYTES +
  (LITERALS + DISTANCES + 4) * 4 * 3 +
  PRICES_BYTES +
  NODES_BYTES +
  OUT_BYTES;

/** Of narrower rows pixels are no nodes: matches that are not long end with the row. */
const LEAST_ROW: u32 = 256;

/**
 * A new stream at an address, its header (RFC 1950 section 2.2: 32 KB of history, no dictionary) already
 * written.
 * @param pixelBytes bytes of a pixel; 0 where pixels share them
 * @param rowBytes of a row, its filter's type included; 0 where the bytes are no rows
 */
export function place(at: usize, pixelBytes: u32, rowBytes: u32): void {
  const s = changetype<Deflate>(at);
  memory.fill(at, 0, STRUCT_BYTES);
  let next = at + STRUCT_BYTES;
  s.window = next;
  next += (WINDOW_BYTES + 15) & ~15;
  s.tables = next;
  next += TABLES_BYTES;
  s.chains = next;
  next += HISTORY * 2;
  s.tokens = next;
  next += TOKEN_BYTES;
  s.literalCounts = next;
  next += LITERALS * 4;
  s.distanceCounts = next;
  next += (DISTANCES + 4) * 4;
  s.lastCounts = next;
  next += (LITERALS + DISTANCES + 4) * 4;
  s.keptCounts = next;
  next += (LITERALS + DISTANCES + 4) * 4;
  s.prices = next;
  next += PRICES_BYTES;
  s.nodes = next;
  next += NODES_BYTES;
  s.out = next;
  s.tokensEnd = s.tokens;
  s.adler = 1;
  s.unit = pixelBytes === 0 ? 0 : pixelBytes === 3 && rowBytes > LEAST_ROW ? 3 : 1;
  s.nice = pixelBytes === 0 ? NICE_OF_BITS : NICE;
  s.rowBytes = rowBytes;
  s.origin = s.window - <usize>FIRST_POSITION;
  s.position = s.end = s.rowStart = FIRST_POSITION;
  // Chains are only read where a table leads into them.
  memory.fill(s.tables, 0, TABLES_BYTES);
  memory.fill(s.literalCounts, 0, LITERALS * 4);
  memory.fill(s.distanceCounts, 0, DISTANCES * 4);
  store<u8>(s.out, 0x78);
  store<u8>(s.out, 0x9c, 1);
  s.written = s.out + 2;
}
