import { createExecutionContext } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { isolateRuntime } from '../../../src/api/runtime.ts';
import { createApp } from '../../../src/app.ts';
import { callService } from '../../fixtures/service.ts';
import { bindings, WatchedNamespace } from '../billing/counting_app.ts';

const app = createApp();
const ready = (namespace: WatchedNamespace) =>
  app.request(
    '/v1/ready',
    {},
    { ...bindings, CALL_METER: namespace as unknown as typeof bindings.CALL_METER },
    createExecutionContext(),
  );

/** Clock of the answers below: an answer holds for a second. */
const now = vi.spyOn(Date, 'now');
const start = Date.now() + 60_000;

test('is 503 while counters can not be reached', async () => {
  now.mockReturnValue(start);
  const namespace = new WatchedNamespace();
  namespace.broken = 3;
  const answer = await ready(namespace);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ error: 'overloaded' });
  expect(answer.headers.has('Retry-After')).toBe(true);
});

test('is 200 when they can, and asks an object once a second at most', async () => {
  const namespace = new WatchedNamespace();
  for (const [later, asked] of [
    [0, 1],
    [999, 1],
    [1001, 2],
  ] as const) {
    now.mockReturnValue(start + later);
    const answer = await ready(namespace);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ready' });
    expect(namespace.asked).toHaveLength(asked);
  }
  // One of several objects, the same from then on.
  expect(new Set(namespace.asked).size).toBe(1);
  expect(namespace.asked[0]).toMatch(/^readiness ([0-9]|[1-5][0-9]|6[0-3])$/);
});

test('asks again after the clock was set back: an answer would have held until it is there again', async () => {
  const namespace = new WatchedNamespace();
  now.mockReturnValue(start - 86_400_000);
  namespace.broken = 3;
  expect((await ready(namespace)).status).toBe(503);
});

test('is 503 while as many calls wait for memory as may', async () => {
  const { budget } = isolateRuntime(bindings);
  const waiting = vi.spyOn(budget, 'waiting', 'get').mockReturnValue(budget.places);
  try {
    const answer = await ready(new WatchedNamespace());
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('5');
  } finally {
    waiting.mockRestore();
    now.mockRestore();
  }
});

test('answers as it is described', async () => {
  expect((await callService('/v1/ready')).status).toBe(200);
});
