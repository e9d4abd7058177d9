import { createExecutionContext } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { signKey, verifyKey } from '../../../src/metering/key_tokens.ts';
import { adminToken, app, ask, bindings, issueKey, WatchedNamespace } from '../billing/counting_app.ts';

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
    expect(watched.asked).toEqual([`issued_${key_id}`, 'key_index']);
    await ask('/work', { key, bindings: { CALL_METER: watched } });
    expect(new Set(watched.asked)).toEqual(new Set([`issued_${key_id}`, 'key_index', key_id]));
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
    ['GET', '/v1/keys'],
    ['GET', `/v1/keys/${unissued}`],
    ['PATCH', `/v1/keys/${unissued}`],
    ['DELETE', `/v1/keys/${unissued}`],
    ['POST', `/v1/keys/${unissued}/rotate`],
  ];

  test.each(addresses)('is required for %s %s', async (method, path) => {
    const { key: apiKey } = await issueKey();
    // Too many wrong ones from one address are refused otherwise.
    const ip = `203.0.113.${100 + addresses.findIndex(([one, at]) => one === method && at === path)}`;
    for (const wrong of [undefined, '', 'test-admin-tokem-of-22-or-more', `${adminToken}x`, apiKey]) {
      const key = wrong === undefined ? {} : { key: wrong };
      const response = await ask(path, { method, ip, ...key });
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
    const { key, key_id } = await issueKey();
    for (let i = 0; i < 2; i++) {
      const response = await revoke(key_id);
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
    }
    expect((await ask('/work', { key })).status).toBe(401);
  });

  test.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
  ])('a key that was never issued is no key to %s%s: 404, and nothing is stored', async (method, end) => {
    for (const id of [unissued, 'key_x', 'key_%00', `KEY_${'9'.repeat(24)}`]) {
      const json = method === 'GET' || method === 'DELETE' ? undefined : {};
      const response = await ask(`/v1/keys/${id}${end}`, { method, key: adminToken, json });
      expect(response.status, id).toBe(404);
      expect(await response.json()).toMatchObject({ error: 'not_found' });
    }
    expect(
      await bindings.CALL_METER.getByName(unissued).usage({ plan: 1, cap: 1, issuedAt: 0 }),
    ).toMatchObject({
      revokedAt: null,
    });
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
