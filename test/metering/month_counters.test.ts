import { expect, test } from 'vitest';
import { MonthCounters } from '../../src/metering/month_counters.ts';
import { MemoryJournal } from './memory_journal.ts';

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
