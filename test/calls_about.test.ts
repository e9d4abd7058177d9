import { describe, expect, it } from 'vitest';
import { CallsAbout } from '../src/calls_about.ts';

const MS = 1e6;

/** A call that works for so much. */
function working(about: CallsAbout, size: number) {
  const call = about.come(size);
  about.notice(call);
  return call;
}

describe('calls that are about', () => {
  it('shorten the slices of larger ones, and of no equals', () => {
    const about = new CallsAbout();
    const small = working(about, 10 * MS);
    const shares = [1, 2, 3, 4, 400].map((times) => about.shareOf(working(about, times * 10 * MS)));
    expect(shares.map((share) => share.toFixed(3))).toEqual(['1.000', '1.000', '0.167', '0.125', '0.125']);
    expect(about.shareOf(small)).toBe(1);
  });

  it('are about for some turns after they worked, or until they have ended', () => {
    const about = new CallsAbout();
    const small = working(about, 10 * MS);
    const large = working(about, 500 * MS);
    for (let turn = 0; turn < 15; turn++) about.turn();
    expect(about.shareOf(large)).toBeLessThan(1);
    about.turn();
    expect(about.shareOf(large)).toBe(1);
    about.notice(small);
    expect(about.shareOf(large)).toBeLessThan(1);
    small.seen = Number.NEGATIVE_INFINITY;
    expect(about.shareOf(large)).toBe(1);
  });

  it('are no company of one that came after they had worked, nor of a much smaller one', () => {
    const about = new CallsAbout();
    const first = working(about, 10 * MS);
    const second = working(about, 10 * MS);
    expect(about.isAlone(second)).toBe(true);
    expect(about.isAlone(first)).toBe(false);
    about.notice(first);
    expect(about.isAlone(second)).toBe(false);
    first.size = 30 * MS;
    expect(about.isAlone(second)).toBe(true);
    second.size = 400 * MS;
    expect(about.isAlone(second)).toBe(false);
  });

  it('leave one alone that is no small one, either: a WebP of a megapixel gave twice as many turns', () => {
    const about = new CallsAbout();
    const webp = working(about, 210 * MS);
    expect(about.isAlone(webp)).toBe(true);
    for (let turn = 0; turn < 20; turn++) about.turn();
    expect(about.isAlone(webp)).toBe(true);
    working(about, 10 * MS);
    expect(about.isAlone(webp)).toBe(false);
    const others = new CallsAbout();
    expect(others.isAlone(working(others, 310 * MS))).toBe(false);
  });

  it('are known up to a number of them, the last ones: many would be looked through at every strip', () => {
    const about = new CallsAbout();
    const first = working(about, 5 * MS);
    for (let call = 0; call < 8; call++) working(about, 40 * MS);
    const large = working(about, 80 * MS);
    expect(about.shareOf(large)).toBe(1);
    about.notice(first);
    expect(about.shareOf(large)).toBeLessThan(1);
  });
});
