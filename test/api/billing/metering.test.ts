import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/api/answers/errors.ts';
import { signKey } from '../../../src/metering/key_tokens.ts';
import { JOB_TIME, jobTime, nextTurn } from '../../../src/scheduling/time_slice.ts';
import {
  ask,
  bindings,
  issueKey,
  meteringHeaders,
  useClock,
  WatchedNamespace,
  wait,
  work,
} from './counting_app.ts';

/** Not on a whole second. */
const start = Date.UTC(2099, 5, 15, 12, 0, 0, 250);
useClock(start);
let address = 0;
/** A new anonymous caller. */
const newIp = () => `198.51.100.${++address}`;

/** The usage record of a key. */
async function usageOf(key: string) {
  return (await ask('/v1/usage', { method: 'GET', key })).json<Record<string, unknown>>();
}

describe('anonymous calls', () => {
  test('are limited to 1 per rolling 60 s; one succeeds exactly Retry-After seconds later', async () => {
    const ip = newIp();
    const first = await ask('/work', { ip });
    expect(first.status).toBe(200);
    const free = {
      plan: 'free',
      limit: 1,
      remaining: 0,
      resetsIn: 61,
      billable: 'false',
      cents: '0',
      retention: 'none',
    };
    expect(meteringHeaders(first, start)).toEqual(free);
    expect(first.headers.get('RateLimit')).toBe('"free";r=0;t=60');
    expect(first.headers.get('RateLimit-Policy')).toBe('"free";q=1;w=60');

    wait(17_500);
    const second = await ask('/work', { ip });
    expect(second.status).toBe(429);
    expect(second.headers.get('Retry-After')).toBe('43');
    expect(await second.json()).toMatchObject({ error: 'rate_limit_exceeded', retry_after_seconds: 43 });
    expect(meteringHeaders(second, start)).toEqual(free);
    expect(second.headers.get('RateLimit')).toBe('"free";r=0;t=43');

    wait(42_000);
    expect((await ask('/work', { ip })).status).toBe(429);
    wait(1000);
    expect((await ask('/work', { ip })).status).toBe(200);
    expect(work.started).toBe(2);
  });

  test('are counted per caller', async () => {
    const ip = newIp();
    await ask('/work', { ip });
    expect((await ask('/work', { ip: newIp() })).status).toBe(200);
  });

  test('are admitted once of 50 made at the same time; the others cause no work', async () => {
    const ip = newIp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/work', { ip })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(work.started).toBe(1);
  });
});

describe('calls with a key', () => {
  test('of the pro plan are limited to 60 per minute; the first is free, the 61st refused', async () => {
    const { key } = await issueKey();
    for (let call = 1; call <= 60; call++) {
      wait(100);
      const response = await ask('/work', { key });
      expect(response.status).toBe(200);
      const billable = call > 1;
      expect(meteringHeaders(response)).toMatchObject({
        plan: 'pro',
        limit: 60,
        remaining: 60 - call,
        billable: String(billable),
        cents: String(((call - 1) * 4) / 10),
      });
    }
    const refused = await ask('/work', { key });
    expect(refused.status).toBe(429);
    expect(meteringHeaders(refused)).toMatchObject({ remaining: 0, billable: 'false', cents: '23.6' });
    const seconds = Number(refused.headers.get('Retry-After'));
    wait(1000 * (seconds - 1));
    expect((await ask('/work', { key })).status).toBe(429);
    wait(1000);
    const next = await ask('/work', { key });
    expect(meteringHeaders(next)).toMatchObject({ billable: 'false', cents: '23.6' });
    wait(2 * 3_600_000);
    const usage = await ask('/v1/usage', { method: 'GET', key });
    expect(usage.headers.get('X-Service-Period-Cost-Cents')).toBe('23.6');
  });

  test('beyond the monthly cap are 402', async () => {
    const { key } = await issueKey({ plan: 'pro', monthly_billable_cap: 1 });
    expect((await ask('/work', { key })).headers.get('X-Service-Billable')).toBe('false');
    expect((await ask('/work', { key })).headers.get('X-Service-Billable')).toBe('true');
    const refused = await ask('/work', { key });
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({ error: 'quota_exceeded' });
    expect(meteringHeaders(refused)).toMatchObject({ billable: 'false', cents: '0.4', remaining: 58 });
    wait(31 * 86_400_000);
    expect((await ask('/work', { key })).status).toBe(200);
  });

  test('are 401 from the moment the key is revoked', async () => {
    const { key, key_id } = await issueKey();
    expect((await ask('/work', { key })).status).toBe(200);
    await ask(`/v1/keys/${key_id}`, { method: 'DELETE', key: 'test-admin-token-of-22-or-more' });
    const refused = await ask('/work', { key });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: 'invalid_api_key' });
    expect(meteringHeaders(refused)).toMatchObject({ plan: 'pro', remaining: 0, billable: 'false' });
    expect(work.started).toBe(1);
  });

  test('are 401 if the key is forged, and ask no Durable Object', async () => {
    const watched = new WatchedNamespace();
    const { key } = await issueKey();
    const forged = await signKey(
      { id: `key_${'1'.repeat(24)}`, plan: 'enterprise', cap: 9, issuedAt: 1 },
      'guess',
    );
    for (const each of [forged, `${key}x`, 'sk_live_123']) {
      const refused = await ask('/work', { key: each, bindings: { CALL_METER: watched } });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer');
      expect(meteringHeaders(refused)).toMatchObject({
        plan: 'free',
        limit: 1,
        billable: 'false',
        cents: '0',
      });
    }
    expect(watched.asked).toEqual([]);
    await ask('/work', { key, bindings: { CALL_METER: watched } });
    expect(watched.asked.length).toBeGreaterThan(0);
    expect(work.started).toBe(1);
  });

  test('are admitted if the key was signed with an older secret that is still listed', async () => {
    const { key } = await issueKey();
    const rotated = { KEY_SIGNING_SECRET: `newer,${bindings.KEY_SIGNING_SECRET}` };
    expect((await ask('/work', { key, bindings: rotated })).status).toBe(200);
    expect((await ask('/work', { key, bindings: { KEY_SIGNING_SECRET: 'newer' } })).status).toBe(401);
  });
});

test.each([
  ['once its answer is sent', true],
  ['though nobody reads its answer to its end', false],
])('a served call is settled %s: the answer does not wait for the counter', async (_when, isRead) => {
  const kept: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => kept.push(work), passThroughOnException() {} };
  const { key, key_id } = await issueKey();
  const watched = new WatchedNamespace();
  const questions = () => watched.asked.filter((name) => name === key_id).length;
  const { promise: sending, resolve: sent } = Promise.withResolvers<void>();
  work.handler = (_request, c) => {
    c.set('sending', sending);
    return new Response('done');
  };
  const request = new Request('https://service.test/work', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
  });
  const { app } = await import('./counting_app.ts');
  await app.fetch(request, { ...bindings, CALL_METER: watched }, context as unknown as ExecutionContext);
  await scheduler.wait(20);
  const asked = questions();
  if (isRead) sent();
  await Promise.all(kept);
  expect(questions()).toBe(asked + 1);
});

describe('calls that fail', () => {
  const failures: [string, () => Response | Promise<Response>][] = [
    ['answered 422', () => new Response('no', { status: 422 })],
    ['answered 503', () => new Response('no', { status: 503 })],
    ['thrown as an ApiError', () => Promise.reject(new ApiError('unprocessable_image'))],
    ['thrown as anything', () => Promise.reject(new Error('broken'))],
  ];

  test.each(failures)('are refunded: %s', async (_name, failure) => {
    const { key } = await issueKey();
    await ask('/work', { key });
    work.handler = failure;
    const failed = await ask('/work', { key });
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect(meteringHeaders(failed)).toMatchObject({ billable: 'false', cents: '0', remaining: 59 });
    work.handler = () => new Response('done');
    expect(meteringHeaders(await ask('/work', { key }))).toMatchObject({
      billable: 'true',
      cents: '0.4',
      remaining: 58,
    });
  });

  test('give the free call back', async () => {
    const ip = newIp();
    work.handler = () => new Response('no', { status: 400 });
    expect(meteringHeaders(await ask('/work', { ip }))).toMatchObject({ remaining: 1 });
    work.handler = () => new Response('done');
    expect((await ask('/work', { ip })).status).toBe(200);
  });

  test('are never billed; refused ones take places of the window from the 21st within a minute on', async () => {
    const { key } = await issueKey();
    await ask('/work', { key });
    work.handler = () => new Response('no', { status: 400 });
    const answers = [];
    for (let i = 0; i < 81; i++) answers.push(await ask('/work', { key }));
    expect(answers.map(({ status }) => status)).toEqual([...Array(79).fill(400), 429, 429]);
    expect(new Set(answers.map(({ headers }) => headers.get('X-Service-Billable')))).toEqual(
      new Set(['false']),
    );
    expect(meteringHeaders(answers.at(-1)!)).toMatchObject({ cents: '0', remaining: 0 });
    wait(60_000);
    work.handler = () => new Response('done');
    expect((await ask('/work', { key })).headers.get('X-Service-Billable')).toBe('false');
    expect(await usageOf(key)).toMatchObject({ calls: 2, billable_calls: 0 });
  });

  test('by an error of the service take no place and are not billed, however many there are', async () => {
    const { key } = await issueKey();
    await ask('/work', { key });
    work.handler = () => Promise.reject(new ApiError('overloaded'));
    for (let i = 0; i < 100; i++) {
      const failed = await ask('/work', { key });
      expect(failed.status).toBe(503);
      expect(meteringHeaders(failed)).toMatchObject({ billable: 'false', cents: '0', remaining: 59 });
    }
    expect(await usageOf(key)).toMatchObject({ calls: 1, billable_calls: 0 });
  });

  test('are refunded when something other than an Error is thrown', async () => {
    const ip = newIp();
    work.handler = () => Promise.reject('not an Error');
    await expect(ask('/work', { ip })).rejects.toBe('not an Error');
    work.handler = () => new Response('done');
    expect((await ask('/work', { ip })).status).toBe(200);
  });
});

describe('calls of clients that disconnect', () => {
  test('are refunded if it happens during the work', async () => {
    const { key } = await issueKey();
    const client = new AbortController();
    work.handler = () => {
      client.abort();
      return new Response('for nobody');
    };
    await ask('/work', { key, signal: client.signal });
    expect(work.started).toBe(1);
    expect(await usageOf(key)).toMatchObject({ calls: 0, billable_calls: 0 });
    work.handler = () => new Response('done');
    expect(meteringHeaders(await ask('/work', { key }))).toMatchObject({
      remaining: 59,
      billable: 'false',
    });
  });

  test('are refunded a few times only: aborting starts no jobs past the rate limit', async () => {
    const ip = newIp();
    for (let i = 0; i < 24; i++) {
      const client = new AbortController();
      work.handler = () => {
        client.abort();
        throw new ApiError('overloaded');
      };
      await ask('/work', { ip, signal: client.signal });
      wait(1000);
    }
    expect(work.started).toBe(4);
  });

  test('cause no work if it happens before the work begins', async () => {
    const ip = newIp();
    const client = new AbortController();
    client.abort();
    await ask('/work', { ip, signal: client.signal });
    expect(work.started).toBe(0);
    expect((await ask('/work', { ip })).status).toBe(200);
  });

  test('are under waitUntil as a whole, the admission included', async () => {
    const kept: Promise<unknown>[] = [];
    const context = {
      waitUntil: (work: Promise<unknown>) => kept.push(work),
      passThroughOnException() {},
      props: {},
    };
    let atWork = false;
    work.handler = async () => {
      atWork = kept.length > 0;
      return new Response('done');
    };
    const request = new Request('https://service.test/work', {
      method: 'POST',
      headers: { 'CF-Connecting-IP': newIp() },
    });
    const { app } = await import('./counting_app.ts');
    await app.fetch(request, bindings, context as unknown as ExecutionContext);
    await Promise.all(kept);
    expect(atWork).toBe(true);
  });

  test('make slices of larger jobs short as soon as they come: what went before a job waited for whole ones', async () => {
    const large = jobTime(nextTurn);
    large.announce(1e9);
    const turnsOf = async (slices: number) => {
      let turns = 0;
      for (let piece = 0; piece < 8 * slices; piece++) {
        const pause = large.spend(JOB_TIME);
        if (pause) turns++;
        await pause;
      }
      return turns;
    };
    await turnsOf(30);
    expect(await turnsOf(2)).toBe(2);
    await ask('/work', { ip: newIp() });
    expect(await turnsOf(2)).toBeGreaterThan(4);
  });
});
