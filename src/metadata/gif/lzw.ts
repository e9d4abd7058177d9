import type { Cursor } from '../cursor.ts';
import { subBlockAt } from './blocks.ts';

/** Codes have at most 12 bits (GIF89a appendix F), literals at most 11, so that the clear code fits. */
const MAX_WIDTH = 12;
const TABLE_SIZE = 1 << MAX_WIDTH;
/** How many times longer it takes to count the codes of a byte than to search it. */
const COUNTED_BYTE_WORK = 24;

/**
 * Whether the LZW data of an image reach their end code before the window ends (GIF89a appendix F). Codes are
 * counted, which gives their width, but not decompressed. Also false if a code has no string yet: every
 * decoder stops there. Yields as scanners do.
 * @param literalBitsAt offset of the byte that states how many bits a literal has
 */
export function* reachesEndCode(cursor: Cursor, literalBitsAt: number): Generator<number, boolean> {
  const literalBits = cursor.u8(literalBitsAt);
  if (literalBits < 0 || literalBits >= MAX_WIDTH) return false;
  const clear = 1 << literalBits;
  let width = literalBits + 1;
  let next = clear + 2;
  /** Whether a code came since the last clear code: then the next one adds a string to the table. */
  let follows = false;
  let bits = 0;
  let bitCount = 0;
  let block = subBlockAt(cursor, literalBitsAt + 1);
  while (block !== null) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    cursor.meter.work(COUNTED_BYTE_WORK * (block.end - block.start));
    for (const byte of cursor.span(block.start, block.end) ?? []) {
      bits |= byte << bitCount;
      bitCount += 8;
      // Literals of 0 bits have codes of 1 bit, so that several end in one byte.
      while (bitCount >= width) {
        const code = bits & ((1 << width) - 1);
        bits >>>= width;
        bitCount -= width;
        if (code === clear + 1) return true;
        if (code === clear) {
          width = literalBits + 1;
          next = clear + 2;
          follows = false;
          continue;
        }
        if (code > next || (code > clear && !follows)) return false;
        if (follows && next < TABLE_SIZE) {
          next += 1;
          if (next === 1 << width && width < MAX_WIDTH) width += 1;
        }
        follows = true;
      }
    }
    block = subBlockAt(cursor, block.end);
  }
  return false;
}
