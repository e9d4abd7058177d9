import { expect, test } from 'vitest';
import { isWithinWindow, secondsUntil, windowResetAt } from '../../src/metering/rolling_window.ts';

test('a call is in the window for exactly 60 s', () => {
  expect(isWithinWindow(1000, 1000)).toBe(true);
  expect(isWithinWindow(1000, 60_999)).toBe(true);
  expect(isWithinWindow(1000, 61_000)).toBe(false);
});

test('one more call is possible when the oldest call in the way leaves the window', () => {
  expect(windowResetAt([], 3, 500)).toBe(500);
  expect(windowResetAt([100, 200], 3, 500)).toBe(60_100);
  expect(windowResetAt([100, 200, 300], 3, 500)).toBe(60_100);
  expect(windowResetAt([100, 200, 300, 400], 2, 500)).toBe(60_300);
});

test('waiting times are whole seconds, rounded up, never negative', () => {
  expect([0, 1, 999, 1000, 1001].map((ms) => secondsUntil(5000 + ms, 5000))).toEqual([0, 1, 1, 1, 2]);
  expect(secondsUntil(4000, 5000)).toBe(0);
});
