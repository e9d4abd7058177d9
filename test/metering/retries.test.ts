import { expect, test } from 'vitest';
import { RETRY_MS, Retries } from '../../src/metering/retries.ts';
import { MemoryJournal } from './memory_journal.ts';

const idsOf = (retries: Retries, now: number) => retries.of(7, now).map(({ id }) => id);

test('tries of a call end together, a day after the first', () => {
  const retries = new Retries(new MemoryJournal());
  retries.begin(1, 7, true, 1000);
  retries.addTo(retries.of(7, RETRY_MS), 2);
  expect(idsOf(retries, 1000 + RETRY_MS - 1)).toEqual([1, 2]);
  expect(idsOf(retries, 1000 + RETRY_MS)).toEqual([]);
  expect(retries.nextExpiry).toBe(1000 + RETRY_MS);
  retries.expire(1000 + RETRY_MS);
  expect(retries.nextExpiry).toBeNull();
});

test('a counted try that fails is replaced by another; one that was not counted is not', () => {
  const retries = new Retries(new MemoryJournal());
  retries.begin(1, 7, true, 0);
  for (const id of [2, 3]) retries.addTo(retries.of(7, 0), id);
  expect(retries.remove(2, 1)).toBeUndefined();
  expect(retries.remove(1, 1)).toBe(3);
  expect(retries.isCharged(3, 1)).toBe(true);
  expect(retries.remove(3, 1)).toBeUndefined();
  expect(idsOf(retries, 1)).toEqual([]);
});

test('tries of a clock that was ahead end a day after it is right again', () => {
  const retries = new Retries(new MemoryJournal());
  const ahead = 365 * RETRY_MS;
  retries.begin(1, 7, true, ahead);
  retries.isSame(1, 100, ahead);
  retries.stepBackTo(5000);
  expect([idsOf(retries, 5000), retries.nextExpiry]).toEqual([[1], 5000 + RETRY_MS]);
  retries.expire(5000 + RETRY_MS);
  retries.begin(2, 7, true, 5000 + RETRY_MS);
  expect(idsOf(retries, 5000 + RETRY_MS)).toEqual([2]);
  expect(retries.isSame(2, 200, 5000 + RETRY_MS)).toBe(true);
});

test('an inheritance ends with the day', () => {
  const retries = new Retries(new MemoryJournal());
  retries.begin(1, 7, true, 0);
  retries.addTo(retries.of(7, 0), 2);
  expect(retries.remove(1, RETRY_MS)).toBeUndefined();
});

test('all tries of a call that is free after all say so', () => {
  const retries = new Retries(new MemoryJournal());
  retries.begin(1, 7, true, 0);
  retries.addTo(retries.of(7, 0), 2);
  expect([1, 2].map((id) => retries.isCharged(id, 1))).toEqual([true, true]);
  retries.setFree(1);
  expect([1, 2, 3].map((id) => retries.isCharged(id, 1))).toEqual([false, false, false]);
});

test('tries of a call are of what the first said that told it, until all have failed or the day ends', () => {
  const retries = new Retries(new MemoryJournal());
  retries.begin(1, 7, true, 0);
  for (const id of [2, 3]) retries.addTo(retries.of(7, 0), id);
  expect(retries.isSame(2, 100, 1)).toBe(true);
  expect([retries.isSame(1, 200, 1), retries.isSame(3, 100, 1), retries.isSame(2, 100, 1)]).toEqual([
    false,
    true,
    true,
  ]);
  retries.remove(1, 1);
  retries.remove(2, 1);
  expect(retries.isSame(3, 200, 1)).toBe(false);
  retries.remove(3, 1);
  retries.begin(4, 7, true, 2);
  expect(retries.isSame(4, 200, 2)).toBe(true);
  // A day later the same name means another call, and what is left of the first does not bind it.
  retries.begin(5, 7, true, RETRY_MS + 2);
  expect(retries.isSame(5, 300, RETRY_MS + 2)).toBe(true);
  expect(retries.isSame(99, 1, 0)).toBe(true);
});
