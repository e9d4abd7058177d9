import { COPY_OVERRUN } from './copy';
import { DISTANCE_ENTRIES, LITERAL_ENTRIES, PRECODE_ENTRIES } from './huffman';

/** How far back a match may reach (RFC 1951 section 2). */
export const HISTORY: usize = 32768;

/** Output of one run beyond the kept history: large enough that moving the history costs little. */
const FRESH: usize = 65536;

/** Longest match (RFC 1951 section 3.2.5). */
export const LONGEST_MATCH: usize = 258;

/** The most compressed bytes that one feed may bring. */
export const INPUT_BYTES: usize = 32768;

export const WINDOW_LIMIT: usize = HISTORY + FRESH;
/** A run may pass the limit by four literals and one match. */
const WINDOW_BYTES: usize = WINDOW_LIMIT + 4 + LONGEST_MATCH + COPY_OVERRUN;

/**
 * Bytes of output that pay for a block, and for one with its own tables, which take some microseconds to
 * build. No encoder writes such short blocks for long, but 25 MB of empty blocks would take seconds.
 */
export const BLOCK_PRICE = 8;
export const TABLES_PRICE = 64;

/** Bytes credited to a stream at its start: for encoders that flush often, and for many short streams. */
const FIRST_CREDIT = 131072;
/** The most credit that can be saved up. */
export const MOST_CREDIT = 1 << 30;

/** What the stream is reading. */
export const PHASE_ZLIB_HEADER = 0;
export const PHASE_BLOCK_HEADER = 1;
export const PHASE_STORED_LENGTH = 2;
export const PHASE_STORED = 3;
export const PHASE_COUNTS = 4;
export const PHASE_PRECODE = 5;
export const PHASE_LENGTHS = 6;
export const PHASE_SYMBOLS = 7;
export const PHASE_CHECKSUM = 8;
export const PHASE_END = 9;
export const PHASE_CORRUPT = 10;

/** One inflate stream, about 143 KB with its tables, window and input buffer. */
@unmanaged
export class Inflate {
  /** Bits not yet consumed, lowest first; those above `count` are already the following input's. */
  bits: u64;
  count: u32;
  phase: i32;
  /** Unread input [next, inputEnd). */
  next: usize;
  inputEnd: usize;
  /** Output [.., produced), handed out up to `taken`, included in the checksum up to `summed`. */
  produced: usize;
  taken: usize;
  summed: usize;
  adler: u32;
  /** Bytes of output up to `summed` that have not paid for a block yet; blocks may be ahead of the sum. */
  credit: i32;
  /** 1: RFC 1950 header and checksum around the data. */
  wrapped: u32;
  /** 1: the last block has begun. */
  last: u32;
  storedLeft: u32;
  literalCodes: u32;
  distanceCodes: u32;
  precodeCodes: u32;
  /** Code lengths read so far in this block's header. */
  index: u32;
  literalBits: u32;
  distanceBits: u32;
  /** 1: the tables are those of fixed codes, and need not be made again for the next such block. */
  fixedCodes: u32;
  literalTable: usize;
  distanceTable: usize;
  precodeTable: usize;
  lengths: usize;
  window: usize;
  input: usize;
}

/** 286 + 30 lengths at most, and room for the longest repeat beyond. */
const LENGTHS_BYTES: usize = 512;

/** Bytes one stream takes. */
export const STATE_BYTES: usize =
  128 +
  (LITERAL_ENTRIES + DISTANCE_ENTRIES + PRECODE_ENTRIES) * 4 +
  LENGTHS_BYTES +
  WINDOW_BYTES +
  // Wide refills may read past the fed bytes.
  INPUT_BYTES +
  16;

export function place(at: usize, wrapped: u32): Inflate {
  const s = changetype<Inflate>(at);
  let next = at + 128;
  s.literalTable = next;
  next += LITERAL_ENTRIES * 4;
  s.distanceTable = next;
  next += DISTANCE_ENTRIES * 4;
  s.precodeTable = next;
  next += PRECODE_ENTRIES * 4;
  s.lengths = next;
  next += LENGTHS_BYTES;
  s.input = next;
  next += INPUT_BYTES + 16;
  s.window = next;
  s.bits = 0;
  s.fixedCodes = 0;
  s.count = 0;
  s.next = s.input;
  s.inputEnd = s.input;
  s.produced = s.window;
  s.taken = s.window;
  s.summed = s.window;
  s.adler = 1;
  s.credit = FIRST_CREDIT;
  s.wrapped = wrapped;
  s.last = 0;
  s.phase = wrapped ? PHASE_ZLIB_HEADER : PHASE_BLOCK_HEADER;
  return s;
}

/** Adjusts every address after the whole state was copied `distance` bytes on. */
export function moveBy(s: Inflate, distance: usize): void {
  s.next += distance;
  s.inputEnd += distance;
  s.produced += distance;
  s.taken += distance;
  s.summed += distance;
  s.literalTable += distance;
  s.distanceTable += distance;
  s.precodeTable += distance;
  s.lengths += distance;
  s.window += distance;
  s.input += distance;
}
