import { afterEach, describe, expect, test, vi } from 'vitest';
import { adminToken, ask, issueKey, meteringHeaders, restoreWork, work } from '../billing/counting_app.ts';

afterEach(restoreWork);

const unissued = `key_${'5'.repeat(24)}`;

describe('PATCH /v1/keys/{key_id}', () => {
  const change = (id: string, json: unknown) =>
    ask(`/v1/keys/${id}`, { method: 'PATCH', key: adminToken, json });

  test('changes plan and cap from the next call on, and calls keep the price they were made at', async () => {
    const { key, key_id } = await issueKey({ plan: 'pro' });
    for (let i = 0; i < 3; i++) await ask('/work', { key });
    const changed = await change(key_id, { plan: 'enterprise', monthly_billable_cap: 4 });
    expect(changed.status).toBe(200);
    const usage = { calls: 3, billable_calls: 2, cost_cents: 0.8, cost_usd: 0.008 };
    expect(await changed.json()).toMatchObject({ plan: 'enterprise', monthly_billable_cap: 4, usage });
    const next = await ask('/work', { key });
    expect(meteringHeaders(next)).toMatchObject({ plan: 'enterprise', limit: 600, cents: '1' });
    await ask('/work', { key });
    const refused = await ask('/work', { key });
    expect(refused.status).toBe(402);
    expect((await refused.json<{ message: string }>()).message).toContain('cap of 4');
    await change(key_id, { monthly_billable_cap: 5 });
    expect((await ask('/work', { key })).status).toBe(200);
  });

  test('a call that fails after a change is taken off at the price it had', async () => {
    const { key, key_id } = await issueKey({ plan: 'pro' });
    await ask('/work', { key });
    work.handler = async () => {
      await change(key_id, { plan: 'enterprise' });
      return new Response('no', { status: 422 });
    };
    const failed = await ask('/work', { key });
    work.handler = () => new Response('done');
    expect(meteringHeaders(failed)).toMatchObject({ plan: 'enterprise', billable: 'false', cents: '0' });
  });

  test('sets and clears label and expiry; of a key that was never used too', async () => {
    const { key, key_id } = await issueKey({ plan: 'pro', label: 4711, expires_at: '2999-01-01T00:00:00Z' });
    const at = '2020-01-01T00:00:00.000Z';
    expect(await (await change(key_id, { expires_at: at })).json()).toMatchObject({
      state: 'expired',
      label: 4711,
      expires_at: at,
    });
    for (const [path, method] of [
      ['/work', 'POST'],
      ['/v1/usage', 'GET'],
    ] as const) {
      const refused = await ask(path, { method, key, ip: '198.51.100.11' });
      expect(refused.status).toBe(401);
      expect((await refused.json<{ message: string }>()).message).toContain('expired');
    }
    expect(await (await change(key_id, { label: null, expires_at: null })).json()).toMatchObject({
      state: 'active',
      label: null,
      expires_at: null,
    });
    expect((await ask('/work', { key })).status).toBe(200);
  });

  test('an empty change changes nothing', async () => {
    const { key_id } = await issueKey();
    const before = await (await ask(`/v1/keys/${key_id}`, { method: 'GET', key: adminToken })).json();
    expect(await (await change(key_id, {})).json()).toEqual(before);
  });

  test.each([
    [{ plan: 'free' }, 'plan'],
    [{ monthly_billable_cap: 0 }, 'monthly_billable_cap'],
    [{ label: 'Erika' }, 'label'],
    [{ label: -1 }, 'label'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ state: 'revoked' }, 'state'],
  ])('refuses %j, naming the field', async (json, path) => {
    const { key_id } = await issueKey();
    const response = await change(key_id, json);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'bad_request', issues: [{ path }] });
  });

  test('is 404 for a key never issued', async () => {
    expect((await change(unissued, { plan: 'pro' })).status).toBe(404);
    expect((await change('key_x', {})).status).toBe(404);
  });
});

describe('POST /v1/keys/{key_id}/rotate', () => {
  const rotate = async (id: string, json: unknown = {}) =>
    ask(`/v1/keys/${id}/rotate`, { key: adminToken, json });
  const rotatedKey = async (id: string, json?: unknown) => {
    const response = await rotate(id, json);
    expect(response.status).toBe(201);
    return response.json<{ key: string; key_id: string; previous_valid_until: string }>();
  };
  const status = async (key: string) => (await ask('/work', { key, ip: '198.51.100.12' })).status;

  test('gives a new key with the same id and counters; the old one is taken for the overlap', async () => {
    const { key, key_id } = await issueKey();
    await ask('/work', { key });
    const newer = await rotatedKey(key_id);
    expect(newer.key_id).toBe(key_id);
    const untilMs = Date.parse(newer.previous_valid_until) - Date.now();
    expect(Math.round(untilMs / 3_600_000)).toBe(24);
    expect(await status(key)).toBe(200);
    expect(await status(newer.key)).toBe(200);
    const usage = await ask('/v1/usage', { method: 'GET', key: newer.key });
    expect(await usage.json()).toMatchObject({ key_id, calls: 3, billable_calls: 2 });
  });

  test('without overlap ends the old key at once', async () => {
    const { key, key_id } = await issueKey();
    const newer = await rotatedKey(key_id, { overlap_seconds: 0 });
    expect(await status(key)).toBe(401);
    expect(await status(newer.key)).toBe(200);
  });

  test('gives a token later than the one before, also by a clock that is behind', async () => {
    const { key, key_id } = await issueKey();
    vi.useFakeTimers({ now: Date.now() - 60_000, toFake: ['Date'] });
    const newer = await rotatedKey(key_id).finally(() => vi.useRealTimers());
    expect([await status(key), await status(newer.key)]).toEqual([200, 200]);
  });

  test('without a body says what it takes', async () => {
    const { key_id } = await issueKey();
    const refused = await ask(`/v1/keys/${key_id}/rotate`, { key: adminToken });
    expect(refused.status).toBe(400);
    expect((await refused.json<{ message: string }>()).message).toContain('{"overlap_seconds": 86400}');
  });

  test('a key whose successor was never used outlives another rotation; else the oldest ends', async () => {
    const { key, key_id } = await issueKey();
    const lost = await rotatedKey(key_id);
    const second = await rotatedKey(key_id);
    expect([await status(key), await status(lost.key), await status(second.key)]).toEqual([200, 401, 200]);
    const third = await rotatedKey(key_id);
    expect([await status(key), await status(second.key), await status(third.key)]).toEqual([401, 200, 200]);
  });

  test('is 404 for a key never issued, or revoked; 400 for an overlap out of bounds', async () => {
    const { key_id } = await issueKey();
    for (const overlap_seconds of [-1, 2_592_001])
      expect((await rotate(key_id, { overlap_seconds })).status).toBe(400);
    await ask(`/v1/keys/${key_id}`, { method: 'DELETE', key: adminToken });
    expect((await rotate(key_id)).status).toBe(404);
    expect((await rotate(unissued)).status).toBe(404);
  });
});
