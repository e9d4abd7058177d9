import { expect } from 'vitest';
import type { Cursor } from '../../src/metadata/cursor.ts';

/**
 * The most work between two pauses, as bytes that are searched: at 0.7 ns each 29 ms, where 30 may be. The
 * most that one step takes is a search through all of a file.
 */
const MOST_AT_ONCE = 40 << 20;

/** What parts come to; none of them, nor what lies between two, may be longer than others can wait. */
export function inOneTurnEach<Result>(parts: Generator<number, Result>, cursor: Cursor): Result {
  for (let reads = cursor.meter.reads; ; reads = cursor.meter.reads) {
    const { done, value } = parts.next();
    expect(cursor.meter.reads - reads).toBeLessThan(MOST_AT_ONCE);
    if (done) return value;
    expect(value).toBeLessThan(MOST_AT_ONCE);
  }
}
