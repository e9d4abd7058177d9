import { expect, test } from 'vitest';
import { askMeter } from '../../../src/api/billing/meter_client.ts';
import { withRemoteMeters } from '../../../src/api/billing/remote_meters.ts';
import type { Bindings } from '../../../src/api/env.ts';
import { bindings } from './counting_app.ts';

const given = bindings as unknown as Bindings;

test('without a counting process the bindings stay as they are', () => {
  expect(withRemoteMeters(given)).toBe(given);
});

test('meters of the counting process are asked as objects are, and their answers let go', async () => {
  const asked: unknown[] = [];
  let released = 0;
  const COUNTERS = {
    async call(...question: readonly unknown[]) {
      asked.push(question);
      return { billable: false, [Symbol.dispose]: () => released++ };
    },
  };
  const remote = withRemoteMeters({ ...given, COUNTERS });
  const answer = await askMeter(
    remote.CALL_METER,
    'key_1',
    async (stub) => await stub.giveBack(7, { limit: 1, cap: null }),
  );
  expect(answer).toMatchObject({ billable: false });
  expect([asked, released]).toEqual([[['key_1', 'giveBack', [7, { limit: 1, cap: null }]]], 1]);
});

test('the bindings of an isolate are extended once, since others compare them by identity', () => {
  const one = { ...given, COUNTERS: { call: async () => null } };
  expect(withRemoteMeters(one)).toBe(withRemoteMeters(one));
  expect(withRemoteMeters({ ...one })).not.toBe(withRemoteMeters(one));
});

test('a counting process that starts anew is asked again', async () => {
  let tries = 0;
  const COUNTERS = {
    async call() {
      if (++tries < 3) throw Object.assign(new Error('Network connection lost.'), { retryable: true });
      return undefined;
    },
  };
  const { CALL_METER } = withRemoteMeters({ ...given, COUNTERS });
  await askMeter(CALL_METER, 'key_1', async (stub) => await stub.settle(1), { random: () => 0 });
  expect(tries).toBe(3);
});
