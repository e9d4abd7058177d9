/**
 * The encoder's state for one alpha plane: plain structs in linear memory. The first reading tries several
 * ways to write the plane side by side, each a Trial that counts its symbols; the second writes the best of
 * them.
 */
import { DISTANCE_PREFIXES, LENGTH_PREFIXES, LITERALS } from '../common/alphabets';

/** Greens of a plane: literals and lengths, no colour cache. */
export const GREENS: u32 = <u32>(LITERALS + LENGTH_PREFIXES);
export const DISTANCES: u32 = <u32>DISTANCE_PREFIXES;

/** What is done to alpha before it is written as symbols. */
export const enum Source {
  /** Nothing. */
  Plain = 0,
  /** ALPH's horizontal filter. */
  Left = 1,
  /** ALPH's gradient filter. */
  Gradient = 2,
  /** VP8L's predictor transform, a mode a block. */
  Blocks = 3,
}
/** Those of which few levels may come, so that several pixels share a symbol. */
export const LEVELLED: i32 = 3;
/** Ways of writing: of each of those with 1, 2, 4 and 8 pixels in a symbol; and of blocks. */
export const PACKINGS: i32 = 4;
export const WAYS: i32 = LEVELLED * PACKINGS + 1;

/** Levels of a source by order of appearance. */
@unmanaged
export class Levels {
  count: i32;
  /** The first 16, and of each level its number: NONE in levels.ts for those that have none. */
  values: usize;
  numbers: usize;
}

/** One way on trial: the symbols that it gives, as they become literals and matches. */
@unmanaged
export class Trial {
  source: i32;
  /** Not given up. */
  alive: bool;
  /** Log2 of pixels in a symbol. */
  packing: u32;
  /** Symbols of a row, and of the plane. */
  width: i32;
  total: u32;
  /** Symbols from number `base` on, up to `filled`; those before `at` are tokens. */
  buffer: usize;
  bufferEnd: usize;
  base: u32;
  at: usize;
  filled: usize;
  /** The least that stays before `at`; one less is a mask. */
  history: u32;
  /** Places, as u16: the last of each hash, of 64 − hashShift bits, and the one before each place. */
  heads: usize;
  hashShift: u64;
  before: usize;
  /** u32 counts of greens, then of distances. */
  counts: usize;
  /** Bits that a green will take, in bytes: what was counted up to a number of tokens. */
  prices: usize;
  tokens: u32;
  /** Searches in a row that were in vain. */
  misses: u32;
  repriceAt: u32;
  /** Bits behind prefixes. */
  extraBits: u64;
}

@unmanaged
export class AlphaEncoder {
  width: i32;
  height: i32;
  /** Rows taken in this reading. */
  y: i32;
  trials: usize;
  /** One way is left. */
  decided: bool;
  /** The second reading, and what it writes. */
  writing: bool;
  chosen: usize;
  /** Bytes of the whole payload, known after the first reading. */
  bytes: u32;
  /** Not all alpha so far was 255. */
  transparent: bool;
  /** Rows of alpha `stride` bytes apart: the last before the row of blocks, then its own. */
  rows: usize;
  stride: usize;
  /** A row of a source, and with several pixels in a symbol. */
  symbols: usize;
  packed: usize;
  /** Log2 of a block's edge, and the blocks' modes. */
  blockBits: u32;
  blocksWide: i32;
  blocksHigh: i32;
  modes: usize;
  /** Of each levelled source. */
  levels: usize;
  /** Nearby distance codes by rows up × 16 + columns left + 7; 0 where there is none. */
  nearby: usize;
  /** Codewords << 4 | bits, of greens, then of distances. */
  codes: usize;
  /** Bits on their way out; while `counting`, only how many. */
  counting: bool;
  bitCount: u64;
  acc: u64;
  accBits: u32;
  output: usize;
  out: usize;
}

/** The longest match (WebP lossless bitstream specification, section 5.2.2). */
export const MAX_LENGTH: u32 = 4096;
/** Kernels read and write so many bytes past a row's end. */
export const SLACK: usize = 32;

// @inline
export function trialAt(encoder: AlphaEncoder, way: i32): Trial {
  return changetype<Trial>(encoder.trials + <usize>way * offsetof<Trial>());
}

/** The trial of a source with 2^packing pixels in a symbol. */
// @inline
export function trialOf(encoder: AlphaEncoder, source: i32, packing: i32): Trial {
  return trialAt(encoder, source * PACKINGS + packing);
}

// @inline
export function levelsOf(encoder: AlphaEncoder, source: i32): Levels {
  return changetype<Levels>(encoder.levels + <usize>source * offsetof<Levels>());
}

/** Where row `y` of alpha is, of the row of blocks being taken; the row before the first is there, too. */
// @inline
export function rowAt(encoder: AlphaEncoder, y: i32): usize {
  return encoder.rows + <usize>((y & ((1 << encoder.blockBits) - 1)) + 1) * encoder.stride;
}
