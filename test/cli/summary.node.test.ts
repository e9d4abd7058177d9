import { expect, it } from 'vitest';
import { durationOf, paceOf, summaryOf } from '../../src/cli/summary.ts';

it.each([
  [0.4, '0 s'],
  [59.4, '59 s'],
  [60, '1:00 min'],
  [125, '2:05 min'],
  [3599.6, '1:00:00 h'],
  [3723, '1:02:03 h'],
])('%d seconds are %s', (seconds, text) => expect(durationOf(seconds)).toBe(text));

it('says the rate, and the time that is left, of files that took time', () => {
  const counts = { total: 100, done: 15, refused: 5, skipped: 20 };
  expect(paceOf(counts, 0, 10)).toBe('2.0/s, 30 s left');
  expect(paceOf(counts, 5, 10)).toBe('2.5/s, 22 s left');
  expect(paceOf({ ...counts, done: 75 }, 0, 4)).toBe('20/s, 0 s left');
  const none = { total: 9, done: 0, refused: 0, skipped: 3 };
  expect(paceOf(none, 0, 5)).toBe('starting');
  expect(paceOf({ ...none, total: 1, skipped: 0 }, 0.25, 5)).toBe('15 s left');
  expect(paceOf(none, 0.04, 5)).toBe('starting');
  expect(paceOf(none, 0.2, 5)).toBe('2:25 min left');
});

it('sums up what was done, and what was not', () => {
  const counts = { total: 10, done: 3, refused: 0, skipped: 0 };
  expect(summaryOf('clean', { ...counts, total: 3 }, 2, false)).toBe('3 cleaned in 2 s');
  expect(summaryOf('inspect', { ...counts, refused: 2, skipped: 1 }, 62, true)).toBe(
    '3 inspected, 2 refused, 1 skipped, 4 not tried in 1:02 min, interrupted',
  );
});
