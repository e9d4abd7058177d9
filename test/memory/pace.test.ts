import { describe, expect, it } from 'vitest';
import { Pace } from '../../src/memory/pace.ts';

const KILOBYTE = 1024;

/** Moves so much every so many milliseconds. @returns when the transfer was slow first, if ever */
function slowAt(pace: Pace, bytes: number, everyMs: number, forMs: number): number | undefined {
  for (let at = 1; at <= forMs; at++) {
    if (at % everyMs === 0) pace.moved(bytes, at);
    if (pace.isSlow(at)) return at;
  }
  return undefined;
}

describe('a pace', () => {
  it.each([
    ['nothing', 0, 100, 2000],
    ['32 KB a second', 64 * KILOBYTE, 2000, 3000],
    ['9 KB a second', 9 * KILOBYTE, 1000, 2282],
    ['60 KB a second', 6 * KILOBYTE, 100, undefined],
    ['64 KB a second, at once', 64 * KILOBYTE, 1000, undefined],
    ['1 MB a second', 64 * KILOBYTE, 62, undefined],
    ['1 MB every 3 seconds', 1024 * KILOBYTE, 3000, 2000],
  ])('of %s is slow as soon as its two seconds are used up', (_, bytes, everyMs, expected) => {
    expect(slowAt(new Pace(0, 0), bytes, everyMs, 20_000)).toBe(expected);
  });

  it('does not remember how long it was slow once it moves again', () => {
    const pace = new Pace(0, 0);
    expect(pace.isSlow(60_000)).toBe(true);
    pace.moved(64 * KILOBYTE, 60_000);
    expect([pace.isSlow(60_900), pace.isSlow(61_000)]).toEqual([false, true]);
  });

  it('allows 30 s and a second for every 16 KB, of what comes or of what was said to come', () => {
    const expected = new Pace(0, 32 * KILOBYTE);
    expect([expected.isOverdue(32_000), expected.isOverdue(32_001)]).toEqual([false, true]);
    const unknown = new Pace(0, 0);
    expect(unknown.isOverdue(30_001)).toBe(true);
    unknown.moved(16 * KILOBYTE, 30_001);
    expect([unknown.isOverdue(31_000), unknown.isOverdue(31_001)]).toEqual([false, true]);
  });

  it('counts no time that it had to wait', () => {
    const pace = new Pace(0, 0);
    pace.resume(1000, 21_000);
    expect([pace.isSlow(22_999), pace.isSlow(23_000)]).toEqual([false, true]);
    expect([pace.isOverdue(50_000), pace.isOverdue(50_001)]).toEqual([false, true]);
  });

  it('says what was expected and what came', () => {
    const pace = new Pace(0, 100 * KILOBYTE);
    pace.moved(12_345, 4000);
    expect(pace.slowFault(6000, 7)).toMatchObject({
      kind: 'overloaded',
      retryAfterSeconds: 7,
      message: expect.stringMatching(/at least 64 KB a second.*only 12345 bytes came through in 6 s/),
    });
    expect(pace.overdueFault(60_000)).toMatchObject({
      kind: 'stalled',
      message: expect.stringMatching(/12345 bytes came through in 60 s.*may take 36 s/),
    });
  });
});
