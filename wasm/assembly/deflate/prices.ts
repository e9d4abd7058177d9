/** Prices of symbols in sixteenths of a bit, by their counts in this block and the one before. */
import { Deflate, DISTANCES, LITERALS, NEAR } from './state';

/** Prices are computed anew after this many symbols; after fewer at the start of a block. */
const REPRICED_AFTER: u32 = 1024;
const REPRICED_AT_FIRST: u32 = 64;

/** The longest code is 15 bits (RFC 1951 section 3.2.7). */
const DEAREST: u32 = 15 << 4;
/** Number of length symbols (section 3.2.5). */
const LENGTHS: u32 = 29;

/** The base-2 logarithm in sixteenths, linear between powers of two. */
// @inline
function logOf(x: u32): u32 {
  const top = 31 - <u32>clz(x);
  return (top << 4) + (((x << (31 - top)) >> 27) & 15);
}

/** @param symbol literals and lengths, then distances: both arrays of counts have this order */
// @inline
function seen(s: Deflate, symbol: u32): u32 {
  const at = (<usize>symbol) << 2;
  return 2 * load<u32>(s.literalCounts + at) + load<u32>(s.lastCounts + at) + 1;
}

function logOfAll(s: Deflate, from: u32, to: u32): u32 {
  let total: u32 = 0;
  for (; from < to; from++) total += seen(s, from);
  return logOf(total);
}

// @inline
function priceOf(s: Deflate, symbol: u32, all: u32, extraBits: u32): u32 {
  return min(all - logOf(seen(s, symbol)), DEAREST) + (extraBits << 4);
}

/** Fills `count` entries, and up to three more, which the next call overwrites. @returns their end */
// @inline
function fill(at: usize, price: u32, count: u32): usize {
  const four = i32x4.splat(price);
  const end = at + ((<usize>count) << 2);
  for (; at < end; at += 16) v128.store(at, four);
  return end;
}

/** Computes prices from the counts so far. */
export function refreshPrices(s: Deflate): void {
  s.pricedAt = s.symbols;
  s.arePriced = true;
  let all = logOfAll(s, 0, LITERALS);
  let at = s.prices;
  for (let i: u32 = 0; i < 256; i++) at = fill(at, priceOf(s, i, all, 0), 1);
  for (let i: u32 = 0; i < LENGTHS - 1; i++) {
    const extra: u32 = i < 8 ? 0 : (i >> 2) - 1;
    at = fill(at, priceOf(s, 257 + i, all, extra), 1 << extra);
  }
  // The longest match has a symbol of its own, although the one before could express it, too.
  fill(at - 4, priceOf(s, 257 + LENGTHS - 1, all, 0), 1);
  all = logOfAll(s, LITERALS, LITERALS + DISTANCES);
  for (let i: u32 = 0; i < DISTANCES; i++) {
    const extra: u32 = i < 4 ? 0 : (i >> 1) - 1;
    // The first two far entries are never read: their distances are near ones, with prices of their own.
    if (i === 16) at = fill(at, 0, 2);
    at = fill(at, priceOf(s, LITERALS + i, all, extra), 1 << (i < 16 ? extra : extra - 7));
  }
}

/** The same after every REPRICED_AFTER symbols, and sooner at the start of a block. */
export function refreshPricesIfDue(s: Deflate): void {
  const due = min(REPRICED_AFTER, REPRICED_AT_FIRST + (s.symbols >> 1));
  if (s.symbols - s.pricedAt > due) refreshPrices(s);
}

/** The price of a byte. @param prices `Deflate.prices`, kept by callers: a store would have it read anew */
// @inline
export function literalPrice(prices: usize, byte: u64): u32 {
  return load<u32>(prices + ((<usize>(byte & 255)) << 2));
}

/** Address of the prices of lengths, from the shortest on. */
// @inline
export function lengthPrices(prices: usize): usize {
  return prices + (256 << 2);
}

// @inline
export function distancePrice(prices: usize, back: u32): u32 {
  const distance = back - 1;
  const entry = distance < NEAR ? distance : NEAR + ((distance >> 7) & (NEAR - 1));
  return load<u32>(prices + (512 << 2) + ((<usize>entry) << 2));
}

/** At the end of a block, keeps its counts as the first guess for the next. */
export function keepCounts(s: Deflate): void {
  memory.copy(s.lastCounts, s.literalCounts, (LITERALS + DISTANCES) << 2);
  s.pricedAt = 0;
}

function guess(s: Deflate, from: u32, to: u32, count: u32): void {
  for (let i = from; i < to; i++) store<u32>(s.lastCounts + ((<usize>i) << 2), count);
}

/** Sets counts as if a typical block had come before the first byte. */
export function guessCounts(s: Deflate): void {
  guess(s, 0, 256, 8);
  guess(s, 256, LITERALS, 40);
  guess(s, LITERALS, LITERALS + DISTANCES, 4);
}

/** The same for filtered rows of a photograph: most bytes are literals near 0, most matches short. */
export function guessCountsOfResiduals(s: Deflate): void {
  for (let i: u32 = 0; i < 256; i++) guess(s, i, i + 1, max(400 >> min(<u32>abs(<i32>(<i8>i)) / 3, 9), 1));
  guess(s, 256, LITERALS, 2);
  guess(s, 257, 265, 20);
  guess(s, 257, 258, 100);
  guess(s, LITERALS, LITERALS + DISTANCES, 12);
}
