import { createExecutionContext } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { signKey, verifyKey } from '../../../src/metering/key_tokens.ts';
import {
  adminToken,
  app,
  ask,
  bindings,
  issueKey,
  meteringHeaders,
  WatchedNamespace,
  work,
} from '../counting_app.ts';

const secrets = [bindings.KEY_SIGNING_SECRET!];
const unissued = `key_${'9'.repeat(24)}`;

describe('POST /v1/keys', () => {
  test('issues a signed key for the plan', async () => {
    const response = await ask('/v1/keys', { key: adminToken, json: { plan: 'pro' } });
    expect(response.status).toBe(201);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const issued = await response.json<Awaited<ReturnType<typeof issueKey>>>();
    expect(issued).toEqual({
      key: expect.stringMatching(/^isk_[\w-]+_[\w-]{43}$/),
      key_id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
      plan: 'pro',
      monthly_billable_cap: 100_000,
      label: null,
      expires_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const claims = { id: issued.key_id, plan: 'pro', cap: 100_000, issuedAt: Date.parse(issued.created_at) };
    expect(await verifyKey(issued.key, secrets)).toEqual(claims);
    expect(response.headers.get('Location')).toBe(`/v1/keys/${issued.key_id}`);
    expect((await ask('/work', { key: issued.key })).status).toBe(200);
  });

  test('uses the given cap, or the default of the plan', async () => {
    expect(await issueKey({ plan: 'enterprise' })).toMatchObject({ monthly_billable_cap: 1_000_000 });
    expect(await issueKey({ plan: 'pro', monthly_billable_cap: 3 })).toMatchObject({
      monthly_billable_cap: 3,
    });
  });

  test('signs with the first of several secrets', async () => {
    const response = await ask('/v1/keys', {
      key: adminToken,
      json: { plan: 'pro' },
      bindings: { KEY_SIGNING_SECRET: 'newer,older' },
    });
    const { key } = await response.json<{ key: string }>();
    expect(await verifyKey(key, ['newer'])).not.toBeNull();
    expect(await verifyKey(key, ['older'])).toBeNull();
  });

  test.each([
    [{ plan: 'free' }, 'plan'],
    [{ plan: 'gold' }, 'plan'],
    [{}, 'plan'],
    [[], ''],
    [null, ''],
    [{ plan: 'pro', monthly_billable_cap: 0 }, 'monthly_billable_cap'],
    [{ plan: 'pro', monthly_billable_cap: 1.5 }, 'monthly_billable_cap'],
    [{ plan: 'pro', monthly_billable_cap: '100' }, 'monthly_billable_cap'],
    [{ plan: 'pro', cap: 7 }, 'cap'],
  ])('refuses %j, naming the field', async (json, path) => {
    const response = await ask('/v1/keys', { key: adminToken, json });
    expect(response.status).toBe(400);
    const body = await response.json<{ error: string; issues: { path: string }[] }>();
    expect(body).toMatchObject({ error: 'bad_request', issues: [{ path }] });
  });

  test('refuses bodies that are not JSON or too long', async () => {
    const post = (body: string) => ask('/v1/keys', { key: adminToken, headers: {}, json: body });
    expect((await ask('/v1/keys', { key: adminToken })).status).toBe(400);
    expect((await post('x'.repeat(5000))).status).toBe(400);
  });

  test('reads no more than 4 KB of a body, declared or not', async () => {
    const declared = await ask('/v1/keys', { key: adminToken, json: { plan: 'x'.repeat(4090) } });
    expect(declared.status).toBe(400);
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1024).fill(32));
      },
    });
    const request = new Request('https://service.test/v1/keys', {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminToken}` },
      body: endless,
    });
    const response = await app.fetch(request, bindings, createExecutionContext());
    expect(response.status).toBe(400);
    expect(pulled).toBeLessThan(20);
  });

  test('does not touch the meter of the key, which is created near its first caller', async () => {
    const watched = new WatchedNamespace();
    const response = await ask('/v1/keys', {
      key: adminToken,
      json: { plan: 'pro' },
      bindings: { CALL_METER: watched },
    });
    const { key, key_id } = await response.json<Awaited<ReturnType<typeof issueKey>>>();
    expect(watched.asked).toEqual([`issued_${key_id}`]);
    await ask('/work', { key, bindings: { CALL_METER: watched } });
    expect(new Set(watched.asked)).toEqual(new Set([`issued_${key_id}`, key_id]));
  });

  test('is 503 while the key can not be stored', async () => {
    const broken = new WatchedNamespace();
    broken.broken = Number.POSITIVE_INFINITY;
    const response = await ask('/v1/keys', {
      key: adminToken,
      json: { plan: 'pro' },
      bindings: { CALL_METER: broken },
    });
    expect(response.status).toBe(503);
  });
});

describe('the admin token', () => {
  const addresses: [string, string][] = [
    ['POST', '/v1/keys'],
    ['GET', `/v1/keys/${unissued}`],
    ['PATCH', `/v1/keys/${unissued}`],
    ['DELETE', `/v1/keys/${unissued}`],
    ['POST', `/v1/keys/${unissued}/rotate`],
  ];

  test.each(addresses)('is required for %s %s', async (method, path) => {
    const { key } = await issueKey();
    for (const wrong of [undefined, '', 'test-admin-tokem', `${adminToken}x`, key]) {
      const response = await ask(path, { method, ...(wrong !== undefined && { key: wrong }) });
      expect(response.status, String(wrong)).toBe(401);
      expect(await response.json()).toMatchObject({ error: 'invalid_api_key' });
    }
  });

  test('is refused past 30 wrong ones a minute from one address, the right one too', async () => {
    const from = (ip: string, key: string) => ask(`/v1/keys/${unissued}`, { method: 'GET', ip, key });
    const ip = '203.0.113.150';
    const statuses = [];
    for (let i = 0; i < 32; i++) statuses.push((await from(ip, `wrong${i}`)).status);
    expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
    const refused = await from(ip, adminToken);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await from('203.0.113.151', adminToken)).status).toBe(404);
  });

  test('is let through without an address, however many wrong ones there were', async () => {
    const from = (key: string) => ask(`/v1/keys/${unissued}`, { method: 'GET', ip: '', key });
    for (let i = 0; i < 30; i++) expect((await from('wrong')).status).toBe(401);
    expect((await from('wrong')).status).toBe(429);
    expect((await from(adminToken)).status).toBe(404);
  });

  test.each(addresses)('is checked before any Durable Object is asked: %s %s', async (method, path) => {
    const watched = new WatchedNamespace();
    await ask(path, { method, key: 'wrong', bindings: { CALL_METER: watched } });
    expect(watched.asked).toEqual([]);
  });

  test.each(addresses)('disables %s %s if it or the signing secret is not set', async (method, path) => {
    for (const unset of [
      { ADMIN_TOKEN: undefined },
      { ADMIN_TOKEN: '' },
      { KEY_SIGNING_SECRET: undefined },
    ]) {
      for (const key of [adminToken, '']) {
        const response = await ask(path, { method, key, bindings: unset });
        expect(response.status).toBe(503);
        expect(await response.json()).toMatchObject({ error: 'admin_disabled' });
      }
    }
    const anonymous = await ask('/work', {
      ip: `203.0.113.${method.length + path.length}`,
      bindings: { KEY_SIGNING_SECRET: undefined },
    });
    expect(anonymous.status).toBe(200);
  });
});

describe('GET and DELETE /v1/keys/{key_id}', () => {
  const show = (id: string) => ask(`/v1/keys/${id}`, { method: 'GET', key: adminToken });
  const revoke = (id: string) => ask(`/v1/keys/${id}`, { method: 'DELETE', key: adminToken });

  test('show state and usage of a key as soon as it is issued', async () => {
    const { key, key_id, created_at } = await issueKey({ plan: 'pro', monthly_billable_cap: 500 });
    const period = new Date().toISOString().slice(0, 7);
    const fresh = {
      key_id,
      plan: 'pro',
      monthly_billable_cap: 500,
      label: null,
      expires_at: null,
      created_at,
      rotated_at: null,
      previous_valid_until: null,
      state: 'active',
      revoked_at: null,
      usage: { period, calls: 0, billable_calls: 0, cost_cents: 0, cost_usd: 0 },
      earlier_usage: [],
    };
    expect(await (await show(key_id)).json()).toEqual(fresh);
    await ask('/work', { key });
    await ask('/work', { key });
    const usage = { period, calls: 2, billable_calls: 1, cost_cents: 0.4, cost_usd: 0.004 };
    expect(await (await show(key_id)).json()).toEqual({ ...fresh, usage });
    expect((await revoke(key_id)).status).toBe(204);
    const revoked_at = expect.stringMatching(/Z$/);
    expect(await (await show(key_id)).json()).toEqual({ ...fresh, usage, state: 'revoked', revoked_at });
  });

  test('show the revocation of a key that was never used', async () => {
    const { key, key_id } = await issueKey();
    await revoke(key_id);
    expect(await (await show(key_id)).json()).toMatchObject({
      state: 'revoked',
      revoked_at: expect.any(String),
    });
    expect((await ask('/work', { key })).status).toBe(401);
  });

  test('show a key whose facts the first version stored in its meter', async () => {
    const id = `key_${'7'.repeat(24)}`;
    await bindings.CALL_METER.getByName(id).issue({ plan: 1, cap: 5, issuedAt: 1000 });
    expect(await (await show(id)).json()).toMatchObject({ plan: 'pro', monthly_billable_cap: 5 });
  });

  test('revoke idempotently, also a key never used', async () => {
    for (let i = 0; i < 2; i++) {
      const response = await revoke(unissued);
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
    }
    const key = await signKey({ id: unissued, plan: 'pro', cap: 1, issuedAt: 1 }, secrets[0]!);
    expect((await ask('/work', { key })).status).toBe(401);
  });

  test('know nothing of a key that was signed elsewhere, which is refused and counted nowhere', async () => {
    const id = `key_${'8'.repeat(24)}`;
    const key = await signKey({ id, plan: 'enterprise', cap: 5, issuedAt: 1000 }, secrets[0]!);
    for (const [path, method] of [
      ['/work', 'POST'],
      ['/v1/usage', 'GET'],
    ] as const) {
      const response = await ask(path, { method, key, ip: '198.51.100.8' });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: 'invalid_api_key' });
    }
    expect((await show(id)).status).toBe(404);
  });

  test('an issued id does not vouch for claims that were never signed here', async () => {
    const { key_id, created_at } = await issueKey({ plan: 'pro', monthly_billable_cap: 5 });
    const issuedAt = Date.parse(created_at);
    const claims = { id: key_id, plan: 'enterprise', cap: 1_000_000 } as const;
    const backdated = await signKey({ ...claims, issuedAt: issuedAt - 1 }, secrets[0]!);
    expect((await ask('/work', { key: backdated, ip: '198.51.100.9' })).status).toBe(401);
    const raised = await ask('/work', { key: await signKey({ ...claims, issuedAt }, secrets[0]!) });
    expect(raised.headers.get('X-Service-Plan')).toBe('pro');
  });

  test('wrong keys are 429 past 30 a minute from one address, revoked ones too', async () => {
    const { key, key_id } = await issueKey();
    await revoke(key_id);
    const statuses = [];
    for (let i = 0; i < 32; i++) statuses.push((await ask('/work', { key, ip: '198.51.100.10' })).status);
    expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
  });

  test.each(['key_', 'key_xyz', '..%2Fkeys', 'anonymous_0'])('are 404 for the key id %s', async (id) => {
    expect((await show(id)).status).toBe(404);
    expect((await revoke(id)).status).toBe(404);
  });
});

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
    expect(meteringHeaders(next, 0)).toMatchObject({ plan: 'enterprise', limit: 600, cents: '1' });
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
    expect(meteringHeaders(failed, 0)).toMatchObject({ plan: 'enterprise', billable: 'false', cents: '0' });
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
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ state: 'revoked' }, 'state'],
  ])('refuses %j, naming the field', async (json, path) => {
    const { key_id } = await issueKey();
    const response = await change(key_id, json);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'bad_request', issues: [{ path }] });
  });

  test('is 404 for a key never issued', async () => {
    expect((await change(unissued.replaceAll('9', '5'), { plan: 'pro' })).status).toBe(404);
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
    expect((await rotate(key_id, { overlap_seconds: 2_592_001 })).status).toBe(400);
    await ask(`/v1/keys/${key_id}`, { method: 'DELETE', key: adminToken });
    expect((await rotate(key_id)).status).toBe(404);
    expect((await rotate(unissued.replaceAll('9', '4'))).status).toBe(404);
  });
});
