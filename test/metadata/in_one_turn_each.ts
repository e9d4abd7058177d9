import { expect } from 'vitest';
import { type Cursor, WORK_AT_ONCE } from '../../src/metadata/cursor.ts';

/**
 * The most work between two pauses, as bytes that are searched, 0.7 ns each: some 6 ms. A check of 4 MB by
 * CRC, or a text that is inflated, is the most that one step takes.
 */
export const MOST_AT_ONCE = WORK_AT_ONCE + (5 << 20);

/** What parts come to; none of them, nor what lies between two, may be longer than others can wait. */
export function inOneTurnEach<Result>(parts: Generator<number, Result>, cursor: Cursor): Result {
  for (let reads = cursor.meter.reads; ; reads = cursor.meter.reads) {
    const { done, value } = parts.next();
    expect(cursor.meter.reads - reads).toBeLessThan(MOST_AT_ONCE);
    if (done) return value;
    expect(value).toBeLessThan(3 * MOST_AT_ONCE);
  }
}
