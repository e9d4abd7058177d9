/** How far back a match may reach, and its lengths (RFC 1951 sections 2 and 3.2.5). */
export const HISTORY: u32 = 32768;
export const LEAST_MATCH: u32 = 3;
export const LONGEST_MATCH: u32 = 258;

/** The most bytes that one feed may bring. */
export const INPUT_BYTES: u32 = 32768;

/**
 * Bytes that must follow a position before it is parsed, unless the input ends: the longest match, and the
 * bytes that the position after it hashes.
 */
export const LOOKAHEAD: u32 = LONGEST_MATCH + 4;

/** Wide loads read beyond the last byte. */
export const SLACK: u32 = 64;
const WINDOW_BYTES: u32 = HISTORY + LOOKAHEAD + INPUT_BYTES + SLACK;

/** The first position, so that no match reaches beyond the start of the data. */
export const FIRST_POSITION: u32 = HISTORY * 2;

/** Log2 of the entries of a table of positions (u16: the low half; the bytes there are compared anyway). */
export const TABLE_BITS: u32 = 15;
export const TABLE_BYTES: usize = 2 << TABLE_BITS;
/** Four tables, each for hashes of another number of bytes (nearest.ts, residuals.ts). */
const TABLES_BYTES: u32 = 4 * <u32>TABLE_BYTES;

/**
 * Distances less 1 below this have a price each. Beyond, 128 share one, since their codes have at least seven
 * extra bits.
 */
export const NEAR: u32 = 256;
/** Prices of literals, of lengths less 3, and of distances (u32 each). */
const PRICES_BYTES: u32 = (256 + 256 + 2 * NEAR) * 4;

/** The cheapest path is searched over this many bytes at once, plus a match. */
export const SEGMENT: u32 = 1024;
/**
 * A match of this many bytes is taken at once (cheapest.ts). More are needed if samples share bytes: rows are
 * short. Each is more than the nodes at which a segment may end later (path.ts).
 */
const NICE: u32 = 20;
const NICE_OF_BITS: u32 = 64;
/** Nodes of a segment that are cleared at a time. */
export const NODES_AT_ONCE: u32 = 128;
const NODES_BYTES: u32 = (SEGMENT + NICE_OF_BITS + NODES_AT_ONCE) * 8;

/** Symbols of literals and lengths, and of distances (RFC 1951 section 3.2.5). */
export const LITERALS: u32 = 286;
export const DISTANCES: u32 = 30;
export const END_OF_BLOCK: u32 = 256;

/** The most symbols of a block, which may end before (split.ts). */
export const BLOCK_SYMBOLS: u32 = 24576;
/** Symbols by which a step of parsing may exceed that: a segment of literals, and a match. */
const SYMBOL_SPARE: u32 = SEGMENT + 16;

/** Bytes of the longest token: code and extra bits of a length (15 + 5) and of its distance (15 + 13). */
const SYMBOL_BYTES: u32 = 6;
/** Bytes that the header of a block always fits into. */
const HEADER_BYTES: u32 = 1024;

/** Tokens: a byte, or MATCH + length - LEAST_MATCH and then distance - 1 (u16 each). */
export const MATCH: u32 = 256;
const TOKEN_BYTES: u32 = (BLOCK_SYMBOLS + SYMBOL_SPARE) * 4;

/** One deflate stream of RFC 1950. */
@unmanaged
export class Deflate {
  /** Position p is at the address `origin + p`. */
  origin: usize;
  /** The next byte to parse, and the end of those fed. */
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
  /** The last position by hash (nearest.ts). */
  tables: usize;
  /** By position, the distance to the previous one with its hash in the last table, 0 for none. */
  chains: usize;
  tokens: usize;
  /** How often each symbol occurs in the tokens (u32). */
  literalCounts: usize;
  distanceCounts: usize;
  /** Both counts of the block before, in one array. */
  lastCounts: usize;
  /**
   * Prices of symbols (prices.ts), whether the last parse kept them up to date, and how many symbols the
   * block had when they were computed.
   */
  prices: usize;
  arePriced: bool;
  pricedAt: u32;
  /** The symbols that surely belong to the block (split.ts): number, end of their tokens, bits. */
  kept: u32;
  keptEnd: usize;
  /** Their counts, in one array as `lastCounts`. */
  keptCounts: usize;
  keptBits: u32;
  /** Number of symbols with which the chunk is full. */
  chunkEnd: u32;
  /** Cheapest paths to the bytes of a segment (path.ts). */
  nodes: usize;
  /** Bytes of a node: 3 if nodes are pixels, else 1; 0 if samples share bytes. */
  unit: u32;
  /** The shortest match that the cheapest path takes at once. */
  nice: u32;
  /** Bytes of a row with its filter type, and the start of the current row. */
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

/** In narrower rows, pixels are not nodes, as matches then end with the row unless they are long. */
const LEAST_ROW: u32 = 256;

/**
 * Begins a stream at an address and writes its header (RFC 1950 section 2.2: 32 KB of history, no
 * dictionary).
 * @param pixelBytes bytes of a pixel; 0 if pixels share bytes
 * @param rowBytes bytes of a row, its filter type included; 0 if the bytes are not rows
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
  // Chains are only read from positions that a table has, and an empty entry of a table means the first.
  store<u16>(s.chains, 0);
  memory.fill(s.tables, 0, TABLES_BYTES);
  memory.fill(s.literalCounts, 0, LITERALS * 4);
  memory.fill(s.distanceCounts, 0, DISTANCES * 4);
  store<u8>(s.out, 0x78);
  store<u8>(s.out, 0x9c, 1);
  s.written = s.out + 2;
}
