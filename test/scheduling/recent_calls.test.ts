import { describe, expect, it } from 'vitest';
import { RecentCalls } from '../../src/scheduling/recent_calls.ts';

const MS = 1e6;

/** A call that works for so much. */
function working(recent: RecentCalls, size: number) {
  const call = recent.arrive(size);
  recent.notice(call);
  return call;
}

describe('recent calls', () => {
  it('shorten the slices of larger ones, and of no equals', () => {
    const recent = new RecentCalls();
    const small = working(recent, 10 * MS);
    const shares = [1, 2, 3, 4, 400].map((times) => recent.shareOf(working(recent, times * 10 * MS)));
    expect(shares.map((share) => share.toFixed(3))).toEqual(['1.000', '1.000', '0.167', '0.125', '0.125']);
    expect(recent.shareOf(small)).toBe(1);
  });

  it('are recent for some turns after they worked, or until they have ended', () => {
    const recent = new RecentCalls();
    const small = working(recent, 10 * MS);
    const large = working(recent, 500 * MS);
    for (let turn = 0; turn < 15; turn++) recent.turn();
    expect(recent.shareOf(large)).toBeLessThan(1);
    recent.turn();
    expect(recent.shareOf(large)).toBe(1);
    recent.notice(small);
    expect(recent.shareOf(large)).toBeLessThan(1);
    small.seen = Number.NEGATIVE_INFINITY;
    expect(recent.shareOf(large)).toBe(1);
  });

  it('are no company of one that came after they had worked, nor of a much smaller one', () => {
    const recent = new RecentCalls();
    const first = working(recent, 10 * MS);
    const second = working(recent, 10 * MS);
    expect(recent.isAlone(second)).toBe(true);
    expect(recent.isAlone(first)).toBe(false);
    recent.notice(first);
    expect(recent.isAlone(second)).toBe(false);
    first.size = 30 * MS;
    expect(recent.isAlone(second)).toBe(true);
    second.size = 400 * MS;
    expect(recent.isAlone(second)).toBe(false);
  });

  it('leave one alone that is no small one, either: a WebP of a megapixel gave twice as many turns', () => {
    const recent = new RecentCalls();
    const webp = working(recent, 210 * MS);
    expect(recent.isAlone(webp)).toBe(true);
    for (let turn = 0; turn < 20; turn++) recent.turn();
    expect(recent.isAlone(webp)).toBe(true);
    working(recent, 10 * MS);
    expect(recent.isAlone(webp)).toBe(false);
    const others = new RecentCalls();
    expect(others.isAlone(working(others, 310 * MS))).toBe(false);
  });

  it('are known up to a number of them, the last ones: many would be looked through at every strip', () => {
    const recent = new RecentCalls();
    const first = working(recent, 5 * MS);
    for (let call = 0; call < 8; call++) working(recent, 40 * MS);
    const large = working(recent, 80 * MS);
    expect(recent.shareOf(large)).toBe(1);
    recent.notice(first);
    expect(recent.shareOf(large)).toBeLessThan(1);
  });
});
