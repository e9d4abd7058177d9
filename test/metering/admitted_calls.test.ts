import { expect, test } from 'vitest';
import { AdmittedCalls } from '../../src/metering/admitted_calls.ts';
import type { AdmittedCall } from '../../src/metering/journal.ts';
import { SETTLE_WITHIN_MS } from '../../src/metering/meter.ts';
import { MemoryJournal } from './memory_journal.ts';

const call = (id: number, at: number, rest: Partial<AdmittedCall> = {}): AdmittedCall => ({
  id,
  at,
  month: 1,
  charge: 'billable',
  settleBy: at + SETTLE_WITHIN_MS,
  ...rest,
});
const ids = (calls: Iterable<AdmittedCall>) => [...calls].map(({ id }) => id);

test('calls leave the window in order of time; settled ones are deleted, unsettled ones remembered', () => {
  const journal = new MemoryJournal();
  const calls = new AdmittedCalls([], journal);
  calls.put(call(1, 0, { settleBy: 0 }));
  calls.put(call(2, 10_000));
  calls.put(call(3, 20_000, { settleBy: 0 }));
  calls.advanceTo(70_000);
  expect(ids(calls.inWindow)).toEqual([3]);
  expect(calls.get(1)).toBeUndefined();
  expect(calls.get(2)).toBeDefined();
  // 3 is behind the unsettled 2, which may yet hand its freedom on.
  calls.advanceTo(80_000);
  expect(ids(calls.inWindow)).toEqual([]);
  expect(ids(journal.state().calls)).toEqual([3, 2]);
  calls.put(call(2, 10_000, { settleBy: 0 }));
  calls.advanceTo(80_000);
  expect(journal.state().calls).toEqual([]);
});

test('a call that nobody settles is lost once its time has passed', () => {
  const calls = new AdmittedCalls([call(1, 0)], new MemoryJournal());
  calls.advanceTo(SETTLE_WITHIN_MS - 1);
  expect(calls.lost).toBeUndefined();
  expect(calls.nextSettleBy).toBe(SETTLE_WITHIN_MS);
  calls.advanceTo(SETTLE_WITHIN_MS);
  expect(calls.lost?.id).toBe(1);
});

test('a clock that steps back brings remembered calls back into the window', () => {
  const journal = new MemoryJournal();
  const calls = new AdmittedCalls([call(2, 90_000), call(1, 5000)], journal);
  calls.advanceTo(100_000);
  expect(ids(calls.inWindow)).toEqual([2]);
  calls.advanceTo(60_000);
  expect(ids(calls.inWindow)).toEqual([1, 2]);
  expect(calls.get(2)).toMatchObject({ at: 60_000, settleBy: 60_000 + SETTLE_WITHIN_MS });
});

test('the heir is the earliest billable call of the window, the lowest id among those of one moment', () => {
  const free = call(1, 1000, { charge: 'free' });
  const others = [call(2, 0), call(4, 7000), call(3, 7000), call(5, 9000), call(6, 5000, { charge: 'free' })];
  const calls = new AdmittedCalls([free, ...others], new MemoryJournal());
  expect(calls.earliestBillableSince(free)?.id).toBe(3);
  const alone = new AdmittedCalls([free, call(2, 61_000)], new MemoryJournal());
  expect(alone.earliestBillableSince(free)).toBeUndefined();
});

test('thousands of unsettled calls cost an event no more than a few', () => {
  let visited = 0;
  const watched = (id: number) =>
    Object.defineProperty(call(id, id), 'settleBy', {
      enumerable: true,
      get: () => {
        visited++;
        return id + SETTLE_WITHIN_MS;
      },
    });
  const many = Array.from({ length: 1000 }, (_, id) => watched(id));
  const calls = new AdmittedCalls(many, new MemoryJournal());
  calls.advanceTo(100_000);
  visited = 0;
  calls.advanceTo(100_001);
  expect(calls.lost).toBeUndefined();
  expect(visited).toBeLessThan(10);
});
