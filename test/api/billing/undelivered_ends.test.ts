import { expect, test } from 'vitest';
import { UndeliveredEnds } from '../../../src/api/billing/undelivered_ends.ts';
import { bindings } from './counting_app.ts';

/** Ends that are told to nobody; what is told is noted. */
function watched() {
  const ends = new UndeliveredEnds();
  const told: number[] = [];
  const broken = new Set<number>();
  const keep = (callId: number, meterName: string) =>
    ends.keep(callId, meterName, async () => {
      if (broken.has(callId)) throw new Error('storage');
      told.push(callId);
    });
  const tell = (meterName: string) => ends.tell(meterName, () => bindings.CALL_METER.getByName(meterName));
  return { ends, told, broken, keep, tell };
}

test('an end is told to its own meter, once', async () => {
  const { ends, told, keep, tell } = watched();
  keep(1, 'a');
  keep(2, 'b');
  keep(3, 'a');
  await tell('c');
  expect(told).toEqual([]);
  await tell('a');
  await tell('a');
  expect(told).toEqual([1, 3]);
  expect(ends.size).toBe(1);
});

test('one that can not be told stays, and keeps no other back', async () => {
  const { ends, told, broken, keep, tell } = watched();
  keep(1, 'a');
  keep(2, 'a');
  broken.add(1);
  await tell('a');
  expect(told).toEqual([2]);
  broken.clear();
  await tell('a');
  expect(told).toEqual([2, 1]);
  expect(ends.size).toBe(0);
});

test('a meter that nobody can reach is no error of who tells it', async () => {
  const { ends, keep } = watched();
  keep(1, 'a');
  await ends.tell('a', () => {
    throw new Error('unreachable');
  });
  expect(ends.size).toBe(1);
});

test('of too many the oldest are dropped', async () => {
  const { ends, told, keep, tell } = watched();
  for (let callId = 0; callId < 300; callId++) keep(callId, 'a');
  expect(ends.size).toBe(256);
  await tell('a');
  expect(told).toEqual(Array.from({ length: 256 }, (_, index) => index + 44));
});
