import { expect, test } from 'vitest';
import { AnonymousWindows, MAX_NETWORKS } from '../../src/metering/anonymous_windows.ts';
import type { CallFailure } from '../../src/metering/journal.ts';
import { Meter } from '../../src/metering/meter.ts';
import { MemoryJournal } from './memory_journal.ts';

const terms = { limit: 1, cap: null };
const start = Date.UTC(2099, 0, 1);

test('a network has one call a window; others have their own', () => {
  const windows = new AnonymousWindows();
  expect(windows.admit('a', 1, terms, start).outcome).toBe('admitted');
  const refused = windows.admit('a', 2, terms, start + 17_500);
  expect(refused).toMatchObject({ outcome: 'rate_limited', billable: false, retryAfterSeconds: 43 });
  expect(windows.admit('b', 3, terms, start + 17_500).outcome).toBe('admitted');
  expect(windows.admit('a', 4, terms, start + 59_999).outcome).toBe('rate_limited');
  expect(windows.admit('a', 5, terms, start + 60_000).outcome).toBe('admitted');
});

test('decides as the meter of an object does, whatever calls end by', () => {
  const windows = new AnonymousWindows();
  const journal = new MemoryJournal();
  const failures: readonly CallFailure[] = ['refused', 'aborted', 'server_error'];
  const outcomes = new Set<string>();
  for (let call = 0; call < 300; call++) {
    // Enough refusals in a window for the last ones to keep their places.
    const now = start + call * 1700 + (call % 7) * 90;
    const meter = new Meter(journal.state(), journal);
    const decision = windows.admit('a', call, terms, now);
    expect(decision).toEqual(meter.admit(call, terms, now));
    outcomes.add(decision.outcome);
    const failure = failures[call % 11] ?? 'refused';
    if (call % 40 === 39) continue;
    const { billable, reading } = windows.giveBack('a', call, terms, failure, now + 10);
    expect(billable).toBe(meter.refund(call, failure, now + 10));
    expect(reading).toEqual(meter.snapshot(terms, now + 10));
  }
  expect([...outcomes].sort()).toEqual(['admitted', 'rate_limited']);
});

test('a window that has passed is forgotten, whoever is asked for next', () => {
  const windows = new AnonymousWindows();
  windows.admit('a', 1, terms, start);
  // Refused calls are no reason to remember the network for longer.
  windows.admit('a', 2, terms, start + 50_000);
  windows.admit('b', 3, terms, start + 30_000);
  windows.giveBack('b', 3, terms, 'refused', start + 31_000);
  expect(windows.size).toBe(2);
  windows.expire(start + 59_999);
  expect(windows.size).toBe(2);
  windows.expire(start + 60_000);
  expect(windows.size).toBe(1);
  windows.expire(start + 91_000);
  expect(windows.size).toBe(0);
});

test('a call that was given back without taking a place leaves nothing', () => {
  const windows = new AnonymousWindows();
  windows.admit('a', 1, terms, start);
  windows.giveBack('a', 1, terms, 'server_error', start + 10);
  expect(windows.size).toBe(0);
  windows.giveBack('never seen', 2, terms, 'refused', start + 20);
  expect(windows.size).toBe(0);
});

test('very many networks do not fill the memory: the oldest is forgotten', () => {
  const windows = new AnonymousWindows();
  for (let call = 0; call <= MAX_NETWORKS; call++) windows.admit(`network ${call}`, call, terms, start);
  expect(windows.size).toBe(MAX_NETWORKS);
  expect(windows.admit('network 1', -1, terms, start).outcome).toBe('rate_limited');
  expect(windows.admit('network 0', -2, terms, start).outcome).toBe('admitted');
  expect(windows.size).toBe(MAX_NETWORKS);
});

test('a clock that steps back makes nobody wait for longer than a window', () => {
  const windows = new AnonymousWindows();
  windows.admit('a', 1, terms, start);
  const refused = windows.admit('a', 2, terms, start - 3_600_000);
  expect(refused).toMatchObject({ outcome: 'rate_limited', retryAfterSeconds: 60 });
  windows.expire(start - 3_600_000 + 60_000);
  expect(windows.size).toBe(0);
});
