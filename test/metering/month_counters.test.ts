import { expect, test } from 'vitest';
import { MonthCounters } from '../../src/metering/month_counters.ts';
import { MemoryJournal } from './memory_journal.ts';

test('counts by month, month 0 not at all, and keeps 13 months', () => {
  const journal = new MemoryJournal();
  const months = new MonthCounters(new Map(), journal);
  months.add(0, { calls: 1, billable: 0 });
  for (let month = 100; month < 115; month++) months.add(month, { calls: 2, billable: 1 });
  expect(months.history.map(({ month }) => month)).toEqual(
    Array.from({ length: 13 }, (_, index) => 102 + index),
  );
  months.subtract(114, { calls: 1, billable: 1 });
  months.subtract(100, { calls: 1, billable: 1 });
  expect(months.get(114)).toEqual({ calls: 1, billable: 0 });
  expect(months.get(100)).toEqual({ calls: 0, billable: 0 });
  expect(journal.state().months).toEqual(new Map(months.history.map(({ month, count }) => [month, count])));
});
