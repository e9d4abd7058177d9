/**
 * The encoder's state for one alpha plane: plain structs in linear memory. The first reading tries several
 * ways to write the plane side by side, each a Trial that counts its symbols; the second writes the best of
 * them.
 */
import { DISTANCE_PREFIXES, LENGTH_PREFIXES, LITERALS } from '../common/alphabets';

/** Greens of a plane: literals and lengths, no colour cache. */
export const GREENS: u32 = <u32>(LITERALS + LENGTH_PREFIXES);
export const DISTANCES: u32 = <u32>DISTANCE_PREFIXES;

/** How alpha is transformed before it is written as symbols. */
export const enum Source {
  /** Nothing. */
  Plain = 0,
  /** ALPH's horizontal filter. */
  Left = 1,
  /** ALPH's gradient filter. */
  Gradient = 2,
  /** VP8L's predictor transform, with a mode per block. */
  Blocks = 3,
}
/** The first sources, which may have few levels, so that several pixels can share a symbol. */
export const LEVELLED: i32 = 3;
/** Ways of writing: each of those sources with 1, 2, 4 and 8 pixels per symbol; and blocks. */
export const PACKINGS: i32 = 4;
export const WAYS: i32 = LEVELLED * PACKINGS + 1;

/** Levels of a source, in order of appearance. */
@unmanaged
export class Levels {
  count: i32;
  /** The first 16 levels; and the number of each level, NONE of levels.ts if it has none. */
  values: usize;
  numbers: usize;
}

/** One way being tried: its symbols, which become literals and matches. */
@unmanaged
export class Trial {
  source: i32;
  /** Not given up. */
  alive: bool;
  /** Log2 of the pixels per symbol. */
  packing: u32;
  /** Symbols per row, and in the plane. */
  width: i32;
  total: u32;
  /** Symbols from number `base` on, up to `filled`; those before `at` have become tokens. */
  buffer: usize;
  bufferEnd: usize;
  base: u32;
  at: usize;
  filled: usize;
  /** Symbols kept before `at`, a power of two: less one, it is a mask. */
  history: u32;
  /** Places, as u16: the last one of each hash (64 − hashShift bits), and for each place the previous one. */
  heads: usize;
  hashShift: u64;
  before: usize;
  /** u32 counts of greens, then of distances. */
  counts: usize;
  /** Price of each green in bits, a byte each, based on the counts up to a number of tokens. */
  prices: usize;
  tokens: u32;
  /** Consecutive searches without a match. */
  misses: u32;
  repriceAt: u32;
  /** Extra bits after prefixes. */
  extraBits: u64;
}

@unmanaged
export class AlphaEncoder {
  width: i32;
  height: i32;
  /** Rows taken in this reading. */
  y: i32;
  trials: usize;
  /** Only one way is left. */
  decided: bool;
  /** The second reading is under way; and the trial that it writes. */
  writing: bool;
  chosen: usize;
  /** Bytes of the whole payload, known after the first reading. */
  bytes: u32;
  /** Some alpha so far was below 255. */
  transparent: bool;
  /** Rows of alpha, `stride` bytes apart: the last row above the current row of blocks, then its own rows. */
  rows: usize;
  stride: usize;
  /** A row of a source; and the same with several pixels per symbol. */
  symbols: usize;
  packed: usize;
  /** Log2 of a block's edge, and the blocks' modes. */
  blockBits: u32;
  blocksWide: i32;
  blocksHigh: i32;
  modes: usize;
  /** The levels of each levelled source. */
  levels: usize;
  /** Nearby distance codes by rows up × 16 + columns left + 7; 0 where there is none. */
  nearby: usize;
  /** Codewords << 4 | length, for greens, then for distances. */
  codes: usize;
  /** Bits to be written; while `counting`, only their number is kept. */
  counting: bool;
  bitCount: u64;
  acc: u64;
  accBits: u32;
  output: usize;
  out: usize;
}

/** The longest match (WebP lossless bitstream specification, section 5.2.2). */
export const MAX_LENGTH: u32 = 4096;
/** Bytes that kernels may read and write past a row's end. */
export const SLACK: usize = 32;

// @inline
export function trialAt(encoder: AlphaEncoder, way: i32): Trial {
  return changetype<Trial>(encoder.trials + <usize>way * offsetof<Trial>());
}

/** The trial of a source with 2^packing pixels per symbol. */
// @inline
export function trialOf(encoder: AlphaEncoder, source: i32, packing: i32): Trial {
  return trialAt(encoder, source * PACKINGS + packing);
}

// @inline
export function levelsOf(encoder: AlphaEncoder, source: i32): Levels {
  return changetype<Levels>(encoder.levels + <usize>source * offsetof<Levels>());
}

/** Address of row `y` of alpha in the current row of blocks; the row before its first is there too. */
// @inline
export function rowAt(encoder: AlphaEncoder, y: i32): usize {
  return encoder.rows + <usize>((y & ((1 << encoder.blockBits) - 1)) + 1) * encoder.stride;
}
