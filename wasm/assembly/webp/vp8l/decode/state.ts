/**
 * The decoder's state: plain structs in linear memory, one Lossless per stream. Everything is reserved when
 * it is opened: what the picture's size alone decides (`fixedBytes`), and what the header declares, up to a
 * limit.
 */
import { alloc } from '../../../memory';
import { BitReader } from './bits';
import * as LosslessFault from './faults';
import { LARGEST_GROUP_BYTES } from './group';
import { CodeScratch, MAX_CACHE_BITS, MAX_SYMBOLS } from './huffman';
import { EntropyImage, ringBytes } from './image';
import { TABLE_ENTRIES } from './index_colours';

/** WebP lossless bitstream specification, section 4. Each occurs at most once. */
export const enum TransformKind {
  Predictor = 0,
  Colour = 1,
  SubtractGreen = 2,
  ColourIndexing = 3,
}
export const MAX_TRANSFORMS: i32 = 4;

@unmanaged
export class Transform {
  kind: i32;
  /** Width of the rows that the inverse transform makes. */
  width: i32;
  /** Log2 of a block's edge; for colour indexing, of the pixels per byte. */
  bits: u32;
  blocksWide: i32;
  /** Data of the blocks: a mode in a byte, or a colour transform element in three. */
  plane: usize;
}

@unmanaged
export class Lossless {
  width: i32;
  height: i32;
  /** What the header says about alpha: only a hint (section 3). */
  alphaUsed: bool;
  fault: i32;
  reader: BitReader;
  scratch: CodeScratch;
  main: EntropyImage;
  /** The side image being read. */
  side: EntropyImage;
  transforms: usize;
  transformCount: i32;
  /** 256 words: ARGB, or bytes as handed out if colour indexing is the last transform to undo. */
  colourTable: usize;
  /** Space where prefix code groups are read; that of a side image stays there. */
  groupAt: usize;
  ring: usize;
  ringBytes: usize;
  /** Log2 of the bytes per pixel that the ring was reserved for. */
  ringShift: u32;
  /** Bytes reserved so far for what the header declared, and the limit. */
  sideBytes: usize;
  sideLimit: usize;
  /** Where the main image's pixels begin. */
  startBits: u64;
  startCount: u32;
  startNext: usize;
  /** Rows of ARGB words: two that the predictor alternates between, and two for all else. */
  predicted: usize;
  predictedAbove: usize;
  one: usize;
  other: usize;
  /** RGBA rows to hand out; how many fit; and the picture's row that the first of them is. */
  strip: usize;
  stripRows: i32;
  stripY: i32;
}

/** Bytes that kernels may read and write past a row's end. */
const ROW_SLACK: usize = 32;

// @inline
function aligned(bytes: usize): usize {
  return (bytes + 15) & ~15;
}

const READER: usize = aligned(offsetof<Lossless>());
const SCRATCH: usize = READER + aligned(offsetof<BitReader>());
const MAIN: usize = SCRATCH + aligned(offsetof<CodeScratch>());
const SIDE: usize = MAIN + aligned(offsetof<EntropyImage>());
const TRANSFORMS: usize = SIDE + aligned(offsetof<EntropyImage>());
const COLOUR_TABLE: usize = TRANSFORMS + aligned(offsetof<Transform>() * MAX_TRANSFORMS);
const CACHE: usize = COLOUR_TABLE + <usize>TABLE_ENTRIES * 4;
const LENGTHS: usize = CACHE + ((<usize>4) << MAX_CACHE_BITS);
const SORTED: usize = LENGTHS + aligned(MAX_SYMBOLS);
const GROUP: usize = SORTED + aligned(MAX_SYMBOLS * 2);
const STATE_BYTES: usize = GROUP + aligned(LARGEST_GROUP_BYTES);

// @inline
export function transformAt(lossless: Lossless, index: i32): Transform {
  return changetype<Transform>(lossless.transforms + <usize>index * offsetof<Transform>());
}

/** Notes the first fault. @returns false */
export function fail(lossless: Lossless, fault: i32): bool {
  if (lossless.fault === LosslessFault.NONE) lossless.fault = fault;
  return false;
}

/**
 * Reserves a decoder's own structs, without rows and ring.
 * @returns its address, 0 when there is no memory
 */
export function createLossless(width: i32, height: i32, sideLimit: usize): usize {
  const at = alloc(STATE_BYTES);
  if (at === 0) return 0;
  memory.fill(at, 0, LENGTHS);
  const lossless = changetype<Lossless>(at);
  lossless.width = width;
  lossless.height = height;
  lossless.reader = changetype<BitReader>(at + READER);
  lossless.scratch = changetype<CodeScratch>(at + SCRATCH);
  lossless.scratch.lengths = at + LENGTHS;
  lossless.scratch.sorted = at + SORTED;
  lossless.main = changetype<EntropyImage>(at + MAIN);
  lossless.side = changetype<EntropyImage>(at + SIDE);
  // Images share it: only one is read at a time, the main image last.
  lossless.main.cache = at + CACHE;
  lossless.side.cache = at + CACHE;
  lossless.transforms = at + TRANSFORMS;
  lossless.colourTable = at + COLOUR_TABLE;
  lossless.groupAt = at + GROUP;
  lossless.sideLimit = sideLimit;
  return at;
}

/** Reserves a ring of pixels of 2^shift bytes. */
export function reserveRing(lossless: Lossless, shift: u32): bool {
  lossless.ringShift = shift;
  lossless.ringBytes = ringBytes(lossless.width, lossless.height, shift);
  lossless.ring = alloc(lossless.ringBytes);
  return lossless.ring !== 0 || fail(lossless, LosslessFault.OUT_OF_MEMORY);
}

/** Reserves the rows that transforms work on. */
export function reserveRows(lossless: Lossless): bool {
  const stride = rowStride(lossless.width);
  const rows = alloc(4 * stride);
  if (rows === 0) return fail(lossless, LosslessFault.OUT_OF_MEMORY);
  lossless.predicted = rows;
  lossless.predictedAbove = rows + stride;
  lossless.one = rows + 2 * stride;
  lossless.other = rows + 3 * stride;
  return true;
}

/** Reserves bytes for what the header declares. @returns 0 past the limit, or when there is no memory */
export function reserveSide(lossless: Lossless, bytes: usize): usize {
  lossless.sideBytes += aligned(bytes);
  if (lossless.sideBytes > lossless.sideLimit) {
    fail(lossless, LosslessFault.TOO_MUCH_MEMORY);
    return 0;
  }
  const at = alloc(bytes);
  if (at === 0) fail(lossless, LosslessFault.OUT_OF_MEMORY);
  return at;
}

/** Reserves the RGBA rows to hand out. */
export function reserveStrip(lossless: Lossless, rows: i32): bool {
  lossless.stripRows = rows;
  lossless.strip = alloc(stripBytes(lossless.width, rows));
  return lossless.strip !== 0 || fail(lossless, LosslessFault.OUT_OF_MEMORY);
}

function rowStride(width: i32): usize {
  return aligned((<usize>width) << 2) + ROW_SLACK;
}

function stripBytes(width: i32, rows: i32): usize {
  return ((<usize>width * rows) << 2) + ROW_SLACK;
}

/** Bytes that `createLossless` reserves. */
export function stateBytes(): usize {
  return STATE_BYTES;
}

/** Bytes of a ring with pixels of 2^shift bytes. */
export function ringTakes(width: i32, height: i32, shift: u32): usize {
  return aligned(ringBytes(width, height, shift));
}

/** Bytes that `reserveRows` reserves. */
export function rowsTake(width: i32): usize {
  return 4 * rowStride(width);
}

/** Bytes that `reserveStrip` reserves. */
export function stripTakes(width: i32, rows: i32): usize {
  return aligned(stripBytes(width, rows));
}
