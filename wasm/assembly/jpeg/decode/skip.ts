/**
 * Skips coefficients that are not needed when a block is shrunk. One lookup answers for all symbols whose
 * codes lie in the next SKIP_BITS bits, since only their lengths and places matter. The last symbol's extra
 * bits may reach beyond those.
 *
 * An entry, 16 bits:
 *   bits 0–5   bits used up, 26 at most
 *   bits 6–13  places to move on; plus END_OF_BLOCK if the block ends; or NOT_ANSWERED
 */
import { alloc, allocated } from '../../memory';
import { codeLength, END_OF_BLOCK, LOOKUP_BITS, sizeOf } from './huffman';
import { acTable, componentAt, Decoder, Scan, scanComponent, skipAt } from './state';

const SKIP_BITS: i32 = 11;
/** Shift that leaves the next SKIP_BITS bits of a left-aligned 64-bit accumulator. */
export const SKIP_SHIFT: u64 = 64 - SKIP_BITS;
/** Bytes of a table. */
const SKIP_BYTES: usize = 2 << SKIP_BITS;

/** Places in a block. No entry moves further unless the block ends, so that the two can be told apart. */
const PLACES: i32 = 64;
/** Further than any end of block moves. */
const NOT_ANSWERED: i32 = 255;

/** The most bytes that `reserveSkips` takes. */
export function mostSkipBytes(decoder: Decoder): usize {
  let total: usize = 0;
  for (let i = 0; i < decoder.componentCount; i++) {
    if (componentAt(decoder, i).lastPlace < PLACES - 1) total += allocated(SKIP_BYTES);
  }
  return total;
}

/** Builds the tables of a frame in one scan. @returns false without memory */
export function reserveSkips(decoder: Decoder, scan: Scan): bool {
  for (let place = 0; place < scan.componentCount; place++) {
    if (componentAt(decoder, scanComponent(scan, place)).lastPlace === PLACES - 1) continue;
    const ac = acTable(scan, place);
    let table: usize = 0;
    for (let other = 0; other < place; other++) {
      if (acTable(scan, other) === ac) table = load<usize>(skipAt(scan, other));
    }
    if (!table) {
      table = alloc(SKIP_BYTES);
      if (!table) return false;
      build(table, ac);
    }
    store<usize>(skipAt(scan, place), table);
  }
  return true;
}

function build(table: usize, ac: usize): void {
  for (let code: i32 = 0; code < 1 << SKIP_BITS; code++) {
    let used: i32 = 0;
    let places: i32 = 0;
    while (places < PLACES) {
      // The bits left, filled up with zeros: a code that ends within them is the same whatever follows.
      const rest = (code << used) & ((1 << SKIP_BITS) - 1);
      const entry = load<u32>(ac + ((<usize>(rest >> (SKIP_BITS - LOOKUP_BITS))) << 2));
      const size = sizeOf(entry);
      const length = codeLength(entry, size);
      const further = places + <i32>((entry >> 8) & 255) + 1;
      const ends = further > <i32>END_OF_BLOCK;
      if (length === 0 || used + length > SKIP_BITS || (!ends && further >= PLACES)) break;
      used += length + size;
      places = further;
      if (ends || used >= SKIP_BITS) break;
    }
    store<u16>(table + ((<usize>code) << 1), <u16>(used | ((used ? places : NOT_ANSWERED) << 6)));
  }
}
