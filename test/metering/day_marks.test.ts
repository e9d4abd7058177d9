import { expect, test } from 'vitest';
import { DayMarks } from '../../src/metering/day_marks.ts';
import { MemoryJournal } from './memory_journal.ts';

const month = 12 * 2026 + 1;
const noon = (day: number) => Date.UTC(2026, 1, day, 12);
const one = { calls: 1, billable: 1 };

/** Days by their number in the month, with their calls. */
const calls = (marks: DayMarks, total: number) =>
  marks
    .of(month, { calls: total, billable: total })
    .map(({ day, from, to }) => [new Date(day * 86_400_000).getUTCDate(), to.calls - from.calls]);

test("a day is what was counted between its first call and the next day's", () => {
  const journal = new MemoryJournal();
  const marks = new DayMarks(new Map(), journal);
  let total = 0;
  const add = (day: number) => marks.add(month, noon(day), one, { calls: total, billable: total++ });
  for (const day of [1, 1, 3, 3, 3]) add(day);
  expect(calls(marks, total)).toEqual([
    [1, 2],
    [3, 3],
  ]);
  // A clock set back; and a call of an earlier day that failed.
  for (const day of [1, 2]) add(day);
  marks.subtract(month, noon(1), one);
  total--;
  const expected = [
    [1, 2],
    [2, 1],
    [3, 3],
  ];
  expect(calls(marks, total)).toEqual(expected);
  expect(calls(new DayMarks(journal.state().days, new MemoryJournal()), total)).toEqual(expected);
  expect(marks.of(month + 1, one)).toEqual([]);
});

test('times outside of the month count on its first or last day', () => {
  const marks = new DayMarks(new Map(), new MemoryJournal());
  marks.add(month, Date.UTC(2026, 0, 31), one, { calls: 0, billable: 0 });
  marks.add(month, Date.UTC(2026, 2, 1), one, one);
  expect(calls(marks, 2)).toEqual([
    [1, 1],
    [28, 1],
  ]);
});

test('one row a day is written, however many calls it has', () => {
  const journal = new MemoryJournal();
  let written = 0;
  journal.putDay = () => written++;
  const marks = new DayMarks(new Map(), journal);
  for (let call = 0; call < 1000; call++)
    marks.add(month, noon(1 + Math.floor(call / 100)), one, { calls: call, billable: call });
  expect(written).toBe(10);
  marks.dropUntil(month - 1);
  expect(calls(marks, 1000)).toHaveLength(10);
  marks.dropUntil(month);
  expect(calls(marks, 1000)).toEqual([]);
});
