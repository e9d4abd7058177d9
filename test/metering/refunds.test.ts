import { expect, test } from 'vitest';
import { ABORT_REFUNDS_PER_WINDOW, REFUNDS_PER_WINDOW, Refunds } from '../../src/metering/refunds.ts';
import { MemoryJournal } from './memory_journal.ts';

test('aborted calls have a small share of the refunds of a window', () => {
  const refunds = new Refunds(new Map(), new MemoryJournal());
  for (let id = 0; id < ABORT_REFUNDS_PER_WINDOW; id++) {
    expect(refunds.allows('aborted')).toBe(true);
    refunds.put(id, { at: 0, failure: 'aborted' });
  }
  expect(refunds.allows('aborted')).toBe(false);
  for (let id = ABORT_REFUNDS_PER_WINDOW; id < REFUNDS_PER_WINDOW; id++) {
    expect(refunds.allows('refused')).toBe(true);
    refunds.put(id, { at: 0, failure: 'refused' });
  }
  expect(refunds.allows('refused')).toBe(false);
});

test('refunds leave the window after a minute; those in the future are moved to the present', () => {
  const journal = new MemoryJournal();
  const refunds = new Refunds(new Map([[1, { at: 0, failure: 'aborted' }]]), journal);
  refunds.put(2, { at: 90_000, failure: 'refused' });
  refunds.expire(60_000);
  expect(refunds.times).toEqual([60_000]);
  expect(journal.state().refunds).toEqual(new Map([[2, { at: 60_000, failure: 'refused' }]]));
});
