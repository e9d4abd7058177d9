import type { Cursor } from '../cursor.ts';
import { subBlockAt } from './blocks.ts';

/** Codes have 12 bits at most (GIF89a appendix F), and literals 11 at most for the clear code to fit. */
const MAX_WIDTH = 12;
const TABLE_SIZE = 1 << MAX_WIDTH;
/** Counting a byte's codes takes so many times longer than searching it. */
const COUNTING = 24;

/**
 * Whether the LZW data of an image reach their end code before the window ends (GIF89a appendix F). Codes are
 * counted, which gives their width, but not decompressed. False also for data with a code that has no string
 * yet, which no decoder reads on. Yields as scanners do.
 * @param literalBitsAt where the byte stands that says how many bits a literal has
 */
export function* reachesEndCode(cursor: Cursor, literalBitsAt: number): Generator<number, boolean> {
  const literalBits = cursor.u8(literalBitsAt);
  if (literalBits < 0 || literalBits >= MAX_WIDTH) return false;
  const clear = 1 << literalBits;
  let width = literalBits + 1;
  let next = clear + 2;
  /** A code came since the last clear code: the next one adds a string to the table. */
  let follows = false;
  let bits = 0;
  let bitCount = 0;
  let block = subBlockAt(cursor, literalBitsAt + 1);
  while (block !== null) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    cursor.meter.work(COUNTING * (block.end - block.start));
    for (const byte of cursor.span(block.start, block.end) ?? []) {
      bits |= byte << bitCount;
      bitCount += 8;
      // A literal of no bits makes codes of one: several end in one byte.
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
