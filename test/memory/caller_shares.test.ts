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
  const job = { bytes: 10 };
  const holding = (caller: OtherHolding['caller'], bytes: number, phase: OtherHolding['phase']) => ({
    ...upload(caller, bytes),
    phase,
  });
  const working = (caller: OtherHolding['caller'], bytes: number) => holding(caller, bytes, 'working');
  const answer = (caller: OtherHolding['caller'], bytes: number) => holding(caller, bytes, 'sending');
  const begins = (others: readonly OtherHolding[], ...callers: OtherHolding['caller'][]) =>
    callers.map((caller) => mayWork(job, caller, others, CAPACITY));

  it('ten jobs of one caller held all the memory, short as each was', () => {
    const others = [working(one, 30), working(one, 11)];
    expect(begins(others, one, other, undefined)).toEqual([false, true, true]);
    expect(begins(others.slice(1), one)).toEqual([true]);
    // One alone may be as large as it is; files that wait for their jobs are bounded elsewhere.
    expect(mayWork({ bytes: 90 }, one, [upload(one, 10), working(other, 50)], CAPACITY)).toBe(true);
    expect(begins([working(one, 90)], one, other)).toEqual([false, true]);
  });

  it('counts for all callers without a key: one could have many networks', () => {
    const others = [1, 2, 3, 4].map((id) => working(network(id), 11));
    expect(begins(others, network(5), one)).toEqual([false, true]);
  });

  it('does not begin where its caller leaves answers unread, and its own would add to them', () => {
    const unread = [answer(one, 30), working(one, 11), answer(network(1), 41)];
    expect(begins(unread, one, other, undefined, network(2))).toEqual([false, true, true, false]);
    expect(begins([answer(one, 40), upload(one, 20)], one)).toEqual([true]);
  });
});
