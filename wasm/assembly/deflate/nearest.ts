/**
 * Finds earlier positions of the same bytes (RFC 1951 section 4): four tables (residuals.ts uses two of them)
 * hold the last position for the hash of a few of the next bytes, each of another number of bytes. They give
 * the nearest match of several lengths, which is what prices by distance need, without walking a chain.
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
function slot(tables: usize, table: usize, key: u64): usize {
  return tables + table * TABLE_BYTES + ((<usize>((key * GOLDEN) >> (64 - TABLE_BITS))) << 1);
}

/** The table's slot for the next `length` bytes, at most 8. */
// @inline
export function slotOf(tables: usize, table: usize, bytes: u64, length: u64): usize {
  return slot(tables, table, bytes << (64 - (length << 3)));
}

/** As `slotOf`, for 9 to 12 bytes. */
// @inline
export function slotOfMore(tables: usize, table: usize, bytes: u64, here: usize, length: u64): usize {
  return slot(tables, table, bytes * FOLD + ((<u64>load<u32>(here, 8)) << (128 - (length << 3))));
}

/** How far back the position in a slot lies; 0 if not within `reach`. */
// @inline
export function backOf(slot: usize, position: u32, reach: u32): u32 {
  const back = (position - <u32>load<u16>(slot)) & 0xffff;
  return back - 1 < reach ? back : 0;
}

/** How many of the 16 bytes at an address are the same `back` bytes before; 0 if `back` is 0. */
// @inline
export function sameOf16(here: usize, now: v128, back: u32): u32 {
  const same = i8x16.bitmask(i8x16.eq(now, v128.load(here - <usize>back)));
  return <u32>ctz(~same | 0x10000 | <u32>(back === 0));
}

/** The number of equal bytes at two addresses, at most `most`; reads up to 15 bytes more. */
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

/** The length of a match of which 16 bytes were compared, all if it is at least as long. */
// @inline
export function whole(here: usize, back: u32, length: u32, most: u32): u32 {
  return length < 16 ? length : common(here, here - <usize>back, most);
}

/** Enters a position into the table of the longest key, and the distance to the one before into its chain. */
// @inline
export function enterChained(s: Deflate, slot: usize, position: u32): void {
  const back = (position - <u32>load<u16>(slot)) & 0xffff;
  store<u16>(chainAt(s, position), back > HISTORY - 1 ? 0 : <u16>back);
  store<u16>(slot, <u16>position);
}

/** @returns the address of the distance to the previous position with the same hash, 0 for none */
// @inline
export function chainAt(s: Deflate, position: u32): usize {
  return s.chains + ((<usize>(position & (HISTORY - 1))) << 1);
}

/** The slots of a position in the four tables, from the fewest bytes to the most. */
// @inline
export function slotA(tables: usize, bytes: u64): usize {
  return slotOf(tables, 0, bytes, 3);
}

// @inline
export function slotB(tables: usize, bytes: u64, unit: u32): usize {
  return slotOf(tables, 1, bytes, unit === 1 ? 5 : 6);
}

/** Used only if samples share bytes: then rows are short and matches many. */
// @inline
export function slotC(tables: usize, bytes: u64, here: usize): usize {
  return slotOfMore(tables, 2, bytes, here, 9);
}

// @inline
export function slotD(tables: usize, bytes: u64, here: usize, unit: u32): usize {
  return unit === 1 ? slotOf(tables, 3, bytes, 8) : slotOfMore(tables, 3, bytes, here, 12);
}

/** What stands for a unit in filtered rows: their positions are in the first two tables alone. */
export const RESIDUALS: u32 = 2;

/** Enters a position. */
// @inline
export function enter(s: Deflate, position: u32, unit: u32): void {
  const here = s.origin + <usize>position;
  const bytes = load<u64>(here);
  const tables = s.tables;
  store<u16>(slotA(tables, bytes), <u16>position);
  store<u16>(slotB(tables, bytes, unit), <u16>position);
  if (unit === 0) store<u16>(slotC(tables, bytes, here), <u16>position);
  if (unit !== RESIDUALS) enterChained(s, slotD(tables, bytes, here, unit), position);
}

/**
 * A long match that repeats a short pattern, as in even areas, has only its first and last positions entered:
 * any of them is as good as another.
 */
const ENTERED_AT_START: u32 = 8;
const ENTERED_AT_END: u32 = 8;
const ENTERED_WHOLE: u32 = 64;

// @inline
function isEven(from: u32, to: u32, back: u32): bool {
  return to - from >= ENTERED_WHOLE && back <= to - from;
}

/** Enters the positions of a match. */
// @inline
export function enterInside(s: Deflate, from: u32, to: u32, back: u32, unit: u32): void {
  if (isEven(from, to, back)) {
    for (const end = from + ENTERED_AT_START; from < end; from++) enter(s, from, unit);
    from = to - ENTERED_AT_END;
  }
  for (; from < to; from++) enter(s, from, unit);
}

/** Enters the pixels of a match, and the filter types between rows. @returns the start of the last row */
export function enterPixels(s: Deflate, from: u32, to: u32, back: u32, rowStart: u32): u32 {
  const even = isEven(from, to, back);
  const untilPixel = even ? from + 3 * ENTERED_AT_START : to;
  const fromPixel = even ? to - 3 * ENTERED_AT_END : to;
  while (from < to) {
    if (from < untilPixel || from >= fromPixel) enter(s, from, 3);
    if (from >= rowStart + s.rowBytes) rowStart += s.rowBytes;
    from += from === rowStart ? 1 : 3;
  }
  return rowStart;
}
