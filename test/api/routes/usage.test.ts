import { expect, test, vi } from 'vitest';
import {
  ask,
  bindings,
  issueKey,
  meteringHeaders,
  useClock,
  WatchedNamespace,
  work,
} from '../billing/counting_app.ts';

/** Two seconds before the end of a month. */
const start = Date.UTC(2099, 2, 31, 23, 59, 58);
useClock(start);

test('GET /v1/usage returns the usage of the current UTC month, and is not metered', async () => {
  const { key, key_id } = await issueKey({ plan: 'enterprise' });
  for (let i = 0; i < 4; i++) await ask('/work', { key });
  work.handler = () => new Response('no', { status: 422 });
  await ask('/work', { key });
  const usage = { key_id, plan: 'enterprise', period: '2099-03', calls: 4, billable_calls: 3 };
  for (let i = 0; i < 2; i++) {
    const response = await ask('/v1/usage', { method: 'GET', key });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ...usage, cost_cents: 0.6, cost_usd: 0.006 });
    const headers = { plan: 'enterprise', limit: 600, remaining: 596, billable: 'false', cents: '0.6' };
    expect(meteringHeaders(response, start)).toMatchObject(headers);
  }
  vi.setSystemTime(start + 2000);
  const next = await ask('/v1/usage', { method: 'GET', key });
  const nothing = { period: '2099-04', calls: 0, billable_calls: 0, cost_cents: 0, cost_usd: 0 };
  expect(await next.json()).toEqual({ ...usage, ...nothing });
});

test('GET /v1/usage?period= returns an earlier month at the prices of then', async () => {
  const { key, key_id } = await issueKey({ plan: 'pro' });
  const usage = (period?: string) =>
    ask(`/v1/usage${period === undefined ? '' : `?period=${period}`}`, { method: 'GET', key });
  const nothing = { calls: 0, billable_calls: 0, cost_cents: 0, cost_usd: 0 };
  expect(await (await usage('2098-12')).json()).toMatchObject({ period: '2098-12', ...nothing });
  for (let i = 0; i < 3; i++) await ask('/work', { key });
  vi.setSystemTime(start + 2000);
  const json = { plan: 'enterprise' };
  await ask(`/v1/keys/${key_id}`, { method: 'PATCH', key: 'test-admin-token-of-22-or-more', json });
  const march = { calls: 3, billable_calls: 2, cost_cents: 0.8, cost_usd: 0.008 };
  const earlier = await usage('2099-03');
  expect(earlier.headers.get('X-Service-Period-Cost-Cents')).toBe('0');
  expect(await earlier.json()).toEqual({ key_id, plan: 'enterprise', period: '2099-03', ...march });
  expect(await (await usage('2099-04')).json()).toEqual(await (await usage()).json());
});

test('GET /v1/usage?by=day adds the days, each at the prices it was counted at', async () => {
  const { key, key_id } = await issueKey({ plan: 'pro' });
  const usage = async (query: string) => (await ask(`/v1/usage?${query}`, { method: 'GET', key })).json();
  expect(await usage('by=day')).toMatchObject({ calls: 0, days: [] });
  vi.setSystemTime(Date.UTC(2099, 2, 3));
  for (let i = 0; i < 3; i++) await ask('/work', { key });
  vi.setSystemTime(Date.UTC(2099, 2, 3, 23, 59, 59, 999));
  for (let i = 0; i < 2; i++) await ask('/work', { key });
  const json = { plan: 'enterprise' };
  await ask(`/v1/keys/${key_id}`, { method: 'PATCH', key: 'test-admin-token-of-22-or-more', json });
  vi.setSystemTime(start);
  for (let i = 0; i < 4; i++) await ask('/work', { key });
  work.handler = () => new Response('no', { status: 422 });
  vi.setSystemTime(start + 1000);
  await ask('/work', { key });
  const days = [
    { date: '2099-03-03', calls: 5, billable_calls: 3, cost_cents: 1.2, cost_usd: 0.012 },
    { date: '2099-03-31', calls: 4, billable_calls: 3, cost_cents: 0.6, cost_usd: 0.006 },
  ];
  const march = { period: '2099-03', calls: 9, billable_calls: 6, cost_cents: 1.8, cost_usd: 0.018, days };
  expect(await usage('by=day')).toEqual({ key_id, plan: 'enterprise', ...march });
  vi.setSystemTime(start + 2000);
  expect(await usage('period=2099-03&by=day')).toEqual({ key_id, plan: 'enterprise', ...march });
  expect(await usage('by=day')).toMatchObject({ period: '2099-04', calls: 0, days: [] });
  expect(await usage('period=2099-03')).not.toHaveProperty('days');
});

test.each(['', 'days', 'hour', 'DAY'])('is 400 by %j', async (by) => {
  const { key } = await issueKey();
  const response = await ask(`/v1/usage?by=${by}`, { method: 'GET', key });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'bad_request' });
});

test('an object of a version without days is 503 by day, not a month without calls', async () => {
  const { key } = await issueKey();
  await ask('/work', { key });
  const namespace = {
    getByName(name: string) {
      const stub = bindings.CALL_METER.getByName(name);
      return {
        peek: (...args: Parameters<typeof stub.peek>) => stub.peek(...args),
        usage: () => stub.usage(null),
      };
    },
  };
  const asked = { method: 'GET', key, bindings: { CALL_METER: namespace } };
  expect((await ask('/v1/usage?by=day', asked)).status).toBe(503);
  expect((await ask('/v1/usage', asked)).status).toBe(200);
});

test.each(['2099-04', '2098-02', '2099-3', '', '2099-13', 'now'])(
  'is 400 for the period %j',
  async (each) => {
    const { key } = await issueKey();
    const response = await ask(`/v1/usage?period=${each}`, { method: 'GET', key });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'bad_request' });
  },
);

test('GET /v1/usage is 401 without a valid key', async () => {
  const { key, key_id } = await issueKey();
  await ask(`/v1/keys/${key_id}`, { method: 'DELETE', key: 'test-admin-token-of-22-or-more' });
  for (const each of [undefined, 'isk_forged', key]) {
    const response = await ask('/v1/usage', { method: 'GET', ...(each && { key: each }) });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: 'invalid_api_key' });
  }
});

test('GET /v1/usage is 503 while the meter can not be reached', async () => {
  const { key } = await issueKey();
  const broken = new WatchedNamespace();
  broken.broken = Number.POSITIVE_INFINITY;
  expect((await ask('/v1/usage', { method: 'GET', key, bindings: { CALL_METER: broken } })).status).toBe(503);
});
