import { expect, test } from 'vitest';
import { headersFor, responseHeaderNames } from '../../../src/api/answers/response_headers.ts';
import { unusedRateLimitStatus } from '../../../src/api/billing/rate_limit_status.ts';
import { ask, issueKey, WatchedNamespace } from '../billing/counting_app.ts';

const specified = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Service-Billable',
  'X-Service-Plan',
  'X-Service-Period-Cost-Cents',
  'X-Service-Retention',
];

test('tell the rate limit status in the headers of the specification and of the draft', () => {
  const usage = { plan: 'pro', limit: 60, remaining: 12, billable: true, costCents: 19.2 } as const;
  const status = { ...usage, capRemaining: null };
  expect(headersFor({ ...status, now: 1_000_000_100, resetAt: 1_000_041_500 })).toEqual({
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '12',
    'X-RateLimit-Reset': '1000042',
    'X-Service-Billable': 'true',
    'X-Service-Plan': 'pro',
    'X-Service-Period-Cost-Cents': '19.2',
    'X-Service-Retention': 'none',
    RateLimit: '"pro";r=12;t=42',
    'RateLimit-Policy': '"pro";q=60;w=60',
  });
  const untouched = headersFor(unusedRateLimitStatus('enterprise', 5000));
  expect(untouched).toMatchObject({
    'X-RateLimit-Remaining': '600',
    'X-RateLimit-Reset': '5',
    RateLimit: '"enterprise";r=600;t=0',
  });
  const always = [...specified, 'RateLimit', 'RateLimit-Policy'];
  expect(new Set(responseHeaderNames)).toEqual(new Set([...always, 'X-Service-Cap-Remaining']));
});

test('tell what is left of the cap from its last tenth on', async () => {
  const { key } = await issueKey({ plan: 'pro', monthly_billable_cap: 20 });
  const left: string[] = [];
  for (let i = 0; i < 22; i++) {
    const { status, headers } = await ask('/work', { key });
    left.push(`${status} ${headers.get('X-Service-Billable')} ${headers.get('X-Service-Cap-Remaining')}`);
  }
  // The first call is free; the last is refused.
  const charged = [...Array(17).fill('200 true null'), '200 true 2', '200 true 1', '200 true 0'];
  expect(left).toEqual(['200 false null', ...charged, '402 false 0']);
});

test('are on every response, whether served, refused, failed or not found', async () => {
  const { key } = await issueKey();
  const ip = '203.0.113.77';
  const answers = await Promise.all([
    ask('/work', { ip }),
    ask('/work', { key }),
    ask('/work', { key: 'forged' }),
    ask('/open', { method: 'GET' }),
    ask('/open', { method: 'HEAD' }),
    ask('/open', { method: 'OPTIONS' }),
    ask('/nowhere', { method: 'GET' }),
    ask('/v1/keys', { key: 'wrong' }),
    ask('/v1/usage', { method: 'GET' }),
    ask('/v1/pricing', { method: 'GET' }),
  ]);
  for (const { headers } of answers) {
    expect(
      responseHeaderNames.filter((name) => name !== 'X-Service-Cap-Remaining' && !headers.get(name)),
    ).toEqual([]);
    expect(headers.get('X-Service-Retention')).toBe('none');
  }
});

test('of unmetered endpoints are the same for everybody, and ask no Durable Object', async () => {
  const { key } = await issueKey();
  await ask('/work', { key });
  await ask('/work', { key });
  const watched = new WatchedNamespace();
  const bindings = { CALL_METER: watched };
  for (const path of ['/open', '/v1/pricing', '/nowhere']) {
    for (const credentials of [{ key }, { key: 'forged' }, {}]) {
      const { headers } = await ask(path, { method: 'GET', bindings, ...credentials });
      expect(headers.get('X-Service-Plan')).toBe('free');
      expect(headers.get('X-RateLimit-Limit')).toBe('1');
      expect(headers.get('X-RateLimit-Remaining')).toBe('1');
      expect(headers.get('X-Service-Period-Cost-Cents')).toBe('0');
      expect(headers.get('X-Service-Billable')).toBe('false');
    }
  }
  expect(watched.asked).toEqual([]);
});
