import { expect, test } from 'vitest';
import { MonthCounters } from '../../src/metering/month_counters.ts';
import { MemoryJournal } from './memory_journal.ts';

/** Counters that had a call in each of these months, in order. */
function counted(...months: number[]) {
  const counters = new MonthCounters(new Map(), new Map(), new MemoryJournal());
  const call = (month: number) =>
    counters.add({ month, at: Date.UTC(0, month, 15) }, { calls: 1, billable: 1 });
  for (const month of months) call(month);
  return { counters, call, kept: () => counters.history.map(({ month }) => month) };
}

const JANUARY = 12 * 2026;
const year = Array.from({ length: 13 }, (_, index) => JANUARY - 12 + index);

test('a clock two years ahead drops no counters: all of a key were gone at its next call', () => {
  const { counters, call, kept } = counted(...year, JANUARY + 24, JANUARY + 24);
  expect(kept()).toEqual([...year, JANUARY + 24]);
  // The clock is right again.
  call(JANUARY);
  expect(counters.get(JANUARY)).toEqual({ calls: 2, billable: 2 });
  expect(kept()).toEqual([...year, JANUARY + 24]);
});

test('what is too old goes with the first call of the second month after a pause', () => {
  const { call, kept } = counted(...year, JANUARY + 24);
  call(JANUARY + 25);
  expect(kept()).toEqual([JANUARY + 24, JANUARY + 25]);
});

test('a key that is used now and then keeps no more than two years', () => {
  const { call, kept } = counted();
  for (let month = JANUARY; month < JANUARY + 120; month += 2) call(month);
  expect(kept()).toHaveLength(8);
  for (let jump = 0; jump < 30; jump++) call(JANUARY + 300 + 20 * jump);
  expect(kept()).toHaveLength(2);
});

test('counts by month, month 0 not at all, and keeps 13 months and their days', () => {
  const journal = new MemoryJournal();
  const months = new MonthCounters(new Map(), new Map(), journal);
  months.add({ month: 0, at: Date.UTC(2026, 0, 1) }, { calls: 1, billable: 0 });
  const first = 12 * 2026;
  const at = (index: number, day = 1) => ({ month: first + index, at: Date.UTC(2026, index, day, 12) });
  for (let index = 0; index < 15; index++) {
    months.add(at(index), { calls: 2, billable: 1 });
    months.add(at(index, 9), { calls: 3, billable: 3 });
  }
  expect(months.history.map(({ month }) => month - first)).toEqual(
    Array.from({ length: 13 }, (_, index) => 2 + index),
  );
  months.subtract(at(14), { calls: 1, billable: 1 });
  months.subtract(at(0), { calls: 1, billable: 1 });
  expect(months.get(first + 14)).toEqual({ calls: 4, billable: 3 });
  expect(months.get(first)).toEqual({ calls: 0, billable: 0 });
  expect(journal.state().months).toEqual(new Map(months.history.map(({ month, count }) => [month, count])));
  expect(journal.state().days.size).toBe(26);
  months.move(at(0), Date.UTC(2026, 0, 5), { calls: 1, billable: 1 });
  expect(months.daysOf(first)).toEqual([]);
});
