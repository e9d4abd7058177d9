/**
 * Where bytes stood before: by hash of so many of them, the last position (RFC 1951 section 4). The nearest
 * match of each length is what a price by distance asks for, and no chain has to be walked for it.
 */
import { Deflate, HISTORY, TABLE_BITS, TABLE_BYTES } from './state';

/**
 * Knuth's multiplicative hashing (The Art of Computer Programming, volume 3, section 6.4): 2^64 over the
 * golden ratio.
 */
const GOLDEN: u64 = 0x9e3779b97f4a7c15;
/** Folds bytes beyond the eighth into a key. */
const FOLD: u64 = 31;

// @inline
function slot(s: Deflate, table: usize, key: u64): usize {
  return s.tables + table * TABLE_BYTES + ((<usize>((key * GOLDEN) >> (64 - TABLE_BITS))) << 1);
}

/** Slots of what stands at an address: of its first three bytes, or one pixel. */
// @inline
export function slotOf3(s: Deflate, bytes: u64): usize {
  return slot(s, 0, bytes << 40);
}

// @inline
export function slotOf4(s: Deflate, bytes: u64): usize {
  return slot(s, 1, bytes << 32);
}

// @inline
export function slotOf5(s: Deflate, bytes: u64): usize {
  return slot(s, 2, bytes << 24);
}

// @inline
export function slotOf8(s: Deflate, bytes: u64): usize {
  return slot(s, 3, bytes);
}

/** Of two pixels of three bytes. */
// @inline
export function slotOf6(s: Deflate, bytes: u64): usize {
  return slot(s, 1, bytes << 16);
}

/** Of four pixels of three bytes. */
// @inline
export function slotOf12(s: Deflate, bytes: u64, here: usize): usize {
  return slot(s, 3, bytes * FOLD + ((<u64>load<u32>(here, 8)) << 32));
}

/** How far back lies what a slot has, 0 for nowhere within `reach`. */
// @inline
export function backOf(slot: usize, position: u32, reach: u32): u32 {
  const back = (position - <u32>load<u16>(slot)) & 0xffff;
  return back - 1 < reach ? back : 0;
}

/** How many of the 16 bytes at an address stand so far back as well. */
// @inline
export function sameOf16(here: usize, now: v128, back: u32): u32 {
  const same = i8x16.bitmask(i8x16.eq(now, v128.load(here - <usize>back)));
  return back === 0 ? 0 : <u32>ctz(~same | 0x10000);
}

/** How many bytes at two addresses are the same, at most `most`; reads up to 15 bytes beyond. */
// @inline
export function common(a: usize, b: usize, most: u32): u32 {
  let n: u32 = 0;
  while (n < most) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(a + <usize>n), v128.load(b + <usize>n)));
    if (same !== 0xffff) return min(most, n + <u32>ctz(~same));
    n += 16;
  }
  return most;
}

/** Enters a position into the table of the longest key, and how far back lies the one before it. */
// @inline
export function enterChained(s: Deflate, slot: usize, position: u32): void {
  const back = (position - <u32>load<u16>(slot)) & 0xffff;
  store<u16>(chainAt(s, position), back > HISTORY - 1 ? 0 : <u16>back);
  store<u16>(slot, <u16>position);
}

/** @returns the place of how far back lies the position before this one with the same hash, 0 for none */
// @inline
export function chainAt(s: Deflate, position: u32): usize {
  return s.chains + ((<usize>(position & (HISTORY - 1))) << 1);
}

/** Enters a position, byte by byte. */
// @inline
export function enterBytes(s: Deflate, position: u32): void {
  const bytes = load<u64>(s.origin + <usize>position);
  store<u16>(slotOf3(s, bytes), <u16>position);
  store<u16>(slotOf4(s, bytes), <u16>position);
  store<u16>(slotOf5(s, bytes), <u16>position);
  enterChained(s, slotOf8(s, bytes), position);
}

/** Enters the position of a pixel of three bytes. */
// @inline
export function enterPixel(s: Deflate, position: u32): void {
  const here = s.origin + <usize>position;
  const bytes = load<u64>(here);
  store<u16>(slotOf3(s, bytes), <u16>position);
  store<u16>(slotOf6(s, bytes), <u16>position);
  enterChained(s, slotOf12(s, bytes, here), position);
}

/**
 * Of a long match only the positions at its start and end are entered, where it is a pattern that repeats
 * itself: even surfaces, of which one position is as good as another.
 */
const ENTERED_AT_START: u32 = 8;
const ENTERED_AT_END: u32 = 8;
const ENTERED_WHOLE: u32 = 64;

// @inline
function isEven(from: u32, to: u32, back: u32): bool {
  return to - from >= ENTERED_WHOLE && back <= to - from;
}

/** Enters positions of a match. */
export function enterInside(s: Deflate, from: u32, to: u32, back: u32): void {
  if (isEven(from, to, back)) {
    for (const end = from + ENTERED_AT_START; from < end; from++) enterBytes(s, from);
    from = to - ENTERED_AT_END;
  }
  for (; from < to; from++) enterBytes(s, from);
}

/** Enters the pixels of a match, and the filters' types between. @returns the start of the last one's row */
export function enterPixels(s: Deflate, from: u32, to: u32, back: u32, rowStart: u32): u32 {
  const even = isEven(from, to, back);
  const untilPixel = even ? from + 3 * ENTERED_AT_START : to;
  const fromPixel = even ? to - 3 * ENTERED_AT_END : to;
  while (from < to) {
    if (from < untilPixel || from >= fromPixel) enterPixel(s, from);
    if (from >= rowStart + s.rowBytes) rowStart += s.rowBytes;
    from += from === rowStart ? 1 : 3;
  }
  return rowStart;
}
