import { createExecutionContext, env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Bindings } from '../../../src/api/env.ts';
import counter, { anonymousWindows, Counters } from '../../../src/api/own_server/counters.ts';
import { plans } from '../../../src/metering/plans.ts';

const counters = () => new Counters(createExecutionContext(), env as never);
const terms = { limit: plans.free.callsPerWindow, cap: null };
const facts = { plan: plans.pro.code, cap: 100, issuedAt: 1 };

test('two processes gave a caller without a key two free calls: its window is where calls are counted', async () => {
  const name = 'anonymous_of counters';
  const [one, other] = [counters(), counters()];
  expect(await one.call(name, 'admit', [1, terms, null])).toMatchObject({ outcome: 'admitted' });
  expect(await other.call(name, 'admit', [2, terms, null])).toMatchObject({ outcome: 'rate_limited' });
  expect(await other.call(name, 'tick', [])).toBeUndefined();
  expect(await one.call(name, 'giveBack', [1, terms, 'server_error'])).toMatchObject({ billable: false });
  expect(await other.call(name, 'admit', [3, terms, null])).toMatchObject({ outcome: 'admitted' });
  await expect(one.call(name, 'usage', [])).rejects.toThrow('no such method');
});

test('a key is counted by its object', async () => {
  const account = { ...facts };
  const call = (id: number, issued: unknown) =>
    counters().call('key_of_counters', 'admit', [id, terms, facts, { issued }, null]);
  expect(await call(1, null)).toMatchObject({ outcome: 'unissued' });
  const stub = (env as unknown as Bindings).CALL_METER.getByName('issued_key_of_counters');
  await stub.issue(account);
  expect(await counters().call('key_of_counters', 'settle', [1])).toBeUndefined();
});

test('what is no method of a meter is not called', async () => {
  for (const method of ['constructor', 'fetch', 'alarm', 'toString', ''])
    await expect(counters().call('key', method, [])).rejects.toThrow('no method of a meter');
});

test('forgets networks whose window has passed, though no other of them calls', () => {
  const now = vi.spyOn(Date, 'now');
  // Networks of other tests in this isolate have no window any more by then.
  const start = Date.now() + 60_000;
  try {
    anonymousWindows.expire(start);
    anonymousWindows.admit('network', 1, { limit: 1, cap: null }, start);
    for (const [later, remembered] of [
      [59_999, 1],
      [60_000, 0],
    ] as const) {
      now.mockReturnValue(start + later);
      expect(counter.fetch().status).toBe(204);
      expect([later, anonymousWindows.size]).toEqual([later, remembered]);
    }
  } finally {
    now.mockRestore();
  }
});
