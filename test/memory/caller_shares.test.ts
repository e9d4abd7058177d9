import { describe, expect, it } from 'vitest';
import { mayReceive, mayWork, type OtherHolding } from '../../src/memory/caller_shares.ts';

const CAPACITY = 100;
const one = { id: 'one', isAnonymous: false };
const other = { id: 'other', isAnonymous: false };
const network = (id: number) => ({ id: `network ${id}`, isAnonymous: true });

const upload = (caller: OtherHolding['caller'], bytes: number, most = bytes): OtherHolding => ({
  caller,
  phase: 'receiving',
  bytes,
  most,
  isLong: false,
});
const may = (caller: OtherHolding['caller'], bytes: number, others: readonly OtherHolding[], most = bytes) =>
  mayReceive({ bytes, most }, caller, others, CAPACITY);

describe('files that are received', () => {
  it('take half of the memory together, whoever sends them', () => {
    const others = [1, 2, 3, 4].map((id) => upload({ id: `${id}`, isAnonymous: false }, 11));
    expect(may(one, 6, others)).toBe(true);
    expect(may(one, 7, others)).toBe(false);
    expect(may(undefined, 6, others)).toBe(true);
  });

  it('of one caller take a quarter, so that forty uploads leave others theirs', () => {
    const others = [upload(one, 10), upload(one, 10)];
    expect([may(one, 5, others), may(one, 6, others), may(other, 12, others)]).toEqual([true, false, true]);
    // What was received and waits for its job counts as well; what works does not.
    const received = others.map((each) => ({ ...each, phase: 'received' as const }));
    expect(may(one, 6, received)).toBe(false);
    expect(
      may(
        one,
        6,
        others.map((each) => ({ ...each, phase: 'working' as const })),
      ),
    ).toBe(true);
  });

  it('of one network take a quarter, too, so that it leaves others without a key theirs', () => {
    const beside = [upload(network(1), 10), upload(network(1), 10)];
    expect([5, 6].map((bytes) => may(network(1), bytes, beside))).toEqual([true, false]);
    expect(may(network(2), 15, beside)).toBe(true);
  });

  it('of all callers without a key leave an eighth to those who have one', () => {
    const others = [upload(network(1), 18), upload(network(2), 18)];
    expect([may(network(3), 1, others), may(network(3), 2, others)]).toEqual([true, false]);
    expect(may(one, 14, others)).toBe(true);
  });

  it('may each be as large as all memory once no other of their group is there', () => {
    expect(may(one, 1, [upload(other, 40)], 60)).toBe(true);
    expect(may(one, 60, [])).toBe(true);
    expect(may(network(1), 60, [])).toBe(true);
  });
});

describe('a job', () => {
  const short = { bytes: 10, isLong: false };
  const long = { bytes: 10, isLong: true };
  const working = (caller: OtherHolding['caller'], bytes: number): OtherHolding => ({
    ...upload(caller, bytes),
    phase: 'working',
    isLong: true,
  });

  it('thirty long jobs of one caller held all the memory until they had ended', () => {
    const others = [working(one, 30), working(one, 11)];
    expect([one, other].map((caller) => mayWork(long, caller, others, CAPACITY))).toEqual([false, true]);
    expect(mayWork(long, one, others.slice(1), CAPACITY)).toBe(true);
    expect(mayWork(short, one, others, CAPACITY)).toBe(true);
    expect(mayWork(long, one, [{ ...working(one, 90), isLong: false }], CAPACITY)).toBe(true);
    // One alone may be as large as it is.
    expect(mayWork({ bytes: 90, isLong: true }, one, [upload(one, 10)], CAPACITY)).toBe(true);
  });

  it('that is long counts for all callers without a key: one could have many networks', () => {
    const others = [1, 2, 3, 4].map((id) => working(network(id), 11));
    expect(mayWork(long, network(5), others, CAPACITY)).toBe(false);
    expect(mayWork(long, one, others, CAPACITY)).toBe(true);
  });

  const answer = (caller: OtherHolding['caller'], bytes: number): OtherHolding => ({
    ...upload(caller, bytes),
    phase: 'sending',
  });

  it('does not begin while its caller leaves more than a quarter of the memory unread', () => {
    const unread = [answer(one, 20), answer(one, 6), answer(network(1), 38)];
    const begins = [one, other, undefined, network(2)].map((caller) =>
      mayWork(short, caller, unread, CAPACITY),
    );
    expect(begins).toEqual([false, true, true, false]);
    expect(mayWork(short, one, [answer(one, 25), upload(one, 20)], CAPACITY)).toBe(true);
  });
});
