/**
 * Decides where a block ends (RFC 1951 section 3.2.3 leaves it open), chunk by chunk. A block ends before a
 * chunk whose symbols are so different that codes of its own save more bits than their header takes.
 */
import { writeBlock } from './block';
import { BLOCK_SYMBOLS, Deflate, DISTANCES, LITERALS } from './state';

/** Symbols of a chunk; more for `parseRuns`, where the decision would take longer than parsing. */
const CHUNK: u32 = 1024;
const CHUNK_OF_RUNS: u32 = 4096;

/**
 * What a further block must save, in bits, in total and per symbol that occurs: its header, and the loss by
 * prices that are less exact at the start of a block.
 */
const HEADER_BITS: u32 = 700;
const SYMBOL_BITS: u32 = 3;

/** The base-2 logarithm in 256ths: linear between powers of two, with a parabola that corrects most of it. */
// @inline
function logOf(x: u32): u32 {
  const top = 31 - <u32>clz(x);
  const part = <u32>((((<u64>x) << 32) >> top) >> 24) & 255;
  return (top << 8) + part + ((part * (256 - part) * 88) >> 16);
}

/**
 * The size of some symbols in a code of their own, in 256ths of a bit.
 * @param mask ~0: those of the last chunk alone; 0: all
 */
function bitsOf(s: Deflate, from: u32, to: u32, mask: u32): u32 {
  let all: u32 = 0;
  let bits: u32 = 0;
  for (let i = (<usize>from) << 2; i < (<usize>to) << 2; i += 4) {
    const count = load<u32>(s.literalCounts + i) - (load<u32>(s.keptCounts + i) & mask);
    const occurs = min<u32>(count, 1);
    all += count;
    bits += occurs * (SYMBOL_BITS << 8) - count * logOf(count + 1 - occurs);
  }
  return all === 0 ? 0 : bits + all * logOf(all);
}

function blockBits(s: Deflate, mask: u32): u32 {
  const literals = bitsOf(s, 0, LITERALS, mask);
  return (HEADER_BITS << 8) + literals + bitsOf(s, LITERALS, LITERALS + DISTANCES, mask);
}

/** Notes that all symbols so far belong to one block. */
function keep(s: Deflate, bits: u32): void {
  memory.copy(s.keptCounts, s.literalCounts, (LITERALS + DISTANCES) << 2);
  s.kept = s.symbols;
  s.keptEnd = s.tokensEnd;
  s.keptBits = bits;
}

/** Sets the end of the next chunk. */
export function nextChunk(s: Deflate, isRuns: bool): void {
  s.chunkEnd = min(BLOCK_SYMBOLS, s.symbols + (isRuns ? CHUNK_OF_RUNS : CHUNK));
}

/**
 * Called when a chunk is full.
 * @returns whether a block was written: the one before the chunk, or with it because it is full
 */
export function splitBlock(s: Deflate, isRuns: bool): bool {
  const bits = blockBits(s, 0);
  const ownBits = blockBits(s, ~0);
  const isFull = s.symbols >= BLOCK_SYMBOLS;
  const isSplit = s.kept > 0 && s.keptBits + ownBits < bits;
  if (isSplit) writeKept(s, ownBits);
  else if (isFull) {
    writeBlock(s, false);
    s.kept = 0;
  } else keep(s, bits);
  nextChunk(s, isRuns);
  return isSplit || isFull;
}

/** Writes the kept symbols as a block; the last chunk begins the next one. */
function writeKept(s: Deflate, bits: u32): void {
  const from = s.keptEnd;
  const bytes = s.tokensEnd - from;
  const symbols = s.symbols - s.kept;
  s.tokensEnd = from;
  for (let i: usize = 0; i < (LITERALS + DISTANCES) << 2; i += 4) {
    const kept = load<u32>(s.keptCounts + i);
    store<u32>(s.keptCounts + i, load<u32>(s.literalCounts + i) - kept);
    store<u32>(s.literalCounts + i, kept);
  }
  writeBlock(s, false);
  memory.copy(s.tokens, from, bytes);
  memory.copy(s.literalCounts, s.keptCounts, (LITERALS + DISTANCES) << 2);
  s.tokensEnd = s.tokens + bytes;
  s.symbols = symbols;
  keep(s, bits);
}
