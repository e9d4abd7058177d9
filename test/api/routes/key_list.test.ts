import { beforeAll, describe, expect, test } from 'vitest';
import { signKey } from '../../../src/metering/key_tokens.ts';
import type { KeyList } from '../../../src/ops/account.ts';
import { callService } from '../../fixtures/service.ts';
import { adminToken, ask, bindings, issueKey, WatchedNamespace } from '../billing/counting_app.ts';

const list = async (query = ''): Promise<KeyList> => {
  const headers = { Authorization: `Bearer ${adminToken}` };
  const response = await callService(`/v1/keys${query}`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  return await response.json<KeyList>();
};

/** All pages of a size, one after the other. */
async function walk(limit: number): Promise<KeyList['keys']> {
  const keys = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: KeyList = await list(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    expect(page.keys.length).toBeLessThanOrEqual(limit);
    keys.push(...page.keys);
    cursor = page.next_cursor;
  }
  return keys;
}

const issued: string[] = [];
beforeAll(async () => {
  for (let i = 0; i < 5; i++) issued.push((await issueKey({ plan: 'pro', label: i })).key_id);
});

describe('GET /v1/keys', () => {
  test('lists every issued key once, in an order that does not change, whatever the size of pages', async () => {
    for (const limit of [1, 2, 5, 100]) expect((await walk(limit)).map((key) => key.key_id)).toEqual(issued);
    const [first] = (await list()).keys;
    expect(first).toEqual({
      key_id: issued[0],
      plan: 'pro',
      monthly_billable_cap: 100_000,
      label: 0,
      expires_at: null,
      created_at: expect.stringMatching(/^\d{4}-/),
      state: 'active',
      revoked_at: null,
    });
  });

  test('says what has become of a key, without asking its meter', async () => {
    const [changed = '', revoked = '', expired = ''] = issued;
    const change = { plan: 'enterprise', monthly_billable_cap: 4, label: null };
    await ask(`/v1/keys/${changed}`, { method: 'PATCH', key: adminToken, json: change });
    await ask(`/v1/keys/${revoked}`, { method: 'DELETE', key: adminToken });
    const past = { expires_at: '2020-01-01T00:00:00Z' };
    await ask(`/v1/keys/${expired}`, { method: 'PATCH', key: adminToken, json: past });
    const watched = new WatchedNamespace();
    const response = await ask('/v1/keys', {
      method: 'GET',
      key: adminToken,
      bindings: { CALL_METER: watched },
    });
    expect(watched.asked).toEqual(['key_index']);
    const { keys } = await response.json<KeyList>();
    expect(keys.slice(0, 3)).toMatchObject([
      { key_id: changed, state: 'active', ...change, revoked_at: null },
      { key_id: revoked, state: 'revoked', revoked_at: expect.any(String) },
      { key_id: expired, state: 'expired' },
    ]);
  });

  test('a key whose meter alone knows it enters at its next call, or when it is shown', async () => {
    const facts = { plan: 1, cap: 5, issuedAt: 1_700_000_000_000 };
    const old = [`key_${'a'.repeat(24)}`, `key_${'b'.repeat(24)}`] as const;
    for (const id of old) await bindings.CALL_METER.getByName(id).issue(facts);
    const claims = { id: old[0], plan: 'pro', cap: 5, issuedAt: facts.issuedAt } as const;
    expect((await walk(100)).map((key) => key.key_id)).not.toContain(old[0]);
    await ask('/work', { key: await signKey(claims, bindings.KEY_SIGNING_SECRET!) });
    await ask(`/v1/keys/${old[1]}`, { method: 'GET', key: adminToken });
    expect((await walk(100)).slice(-2)).toMatchObject([
      { key_id: old[0], monthly_billable_cap: 5, created_at: '2023-11-14T22:13:20.000Z' },
      { key_id: old[1], plan: 'pro' },
    ]);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?limit=', 'limit'],
    ['?cursor=', 'cursor'],
    ['?cursor=next', 'cursor'],
    [`?cursor=${btoa(`key_${'7'.repeat(24)}`).replaceAll('=', '')}`, 'cursor'],
  ])('refuses %s in words', async (query, name) => {
    const headers = { Authorization: `Bearer ${adminToken}` };
    const response = await callService(`/v1/keys${query}`, { headers });
    expect(response.status).toBe(400);
    const { message } = await response.json<{ message: string }>();
    expect(message).toMatch(new RegExp(`^Expected ${name} to be`));
  });
});
