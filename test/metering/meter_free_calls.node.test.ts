import { expect, test, vi } from 'vitest';
import { emptyMeterState } from '../../src/metering/journal.ts';
import { Meter } from '../../src/metering/meter.ts';
import type * as Plans from '../../src/metering/plans.ts';
import { MemoryJournal } from './memory_journal.ts';

vi.mock('../../src/metering/plans.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof Plans>()),
  FREE_CALLS_PER_WINDOW: 3,
}));

test('the number of free calls in a window is that of the plan table', () => {
  const meter = new Meter(emptyMeterState, new MemoryJournal());
  const terms = { limit: 10, cap: 100 };
  const billable = [1, 2, 3, 4, 5].map((id) => meter.admit(id, terms, 1000 * id).billable);
  expect(billable).toEqual([false, false, false, true, true]);
  expect(meter.admit(6, terms, 61_000).billable).toBe(false);
});
