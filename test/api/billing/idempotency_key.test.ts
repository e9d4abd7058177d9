import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_TRIES } from '../../../src/metering/retries.ts';
import { ask, issueKey, restoreWork, work } from './counting_app.ts';

afterEach(restoreWork);

beforeEach(() => {
  work.handler = () => new Response('done');
  work.started = 0;
});

const usageOf = async (key: string) => {
  const { calls, billable_calls } = await (await ask('/v1/usage', { method: 'GET', key })).json<{
    calls: number;
    billable_calls: number;
  }>();
  return { calls, billable_calls };
};
const tryCall = (key: string, name: string, path = '/work') =>
  ask(path, { key, headers: { 'Idempotency-Key': name } });

/** A key whose free call of the window is used up. */
async function usedKey(): Promise<string> {
  const { key } = await issueKey();
  await ask('/work', { key });
  work.started = 0;
  return key;
}

describe('calls with the same Idempotency-Key', () => {
  test('are processed each time, and charged once', async () => {
    const key = await usedKey();
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await tryCall(key, '"a"'));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(answers.map(({ headers }) => headers.get('X-Service-Billable'))).toEqual(Array(5).fill('true'));
    expect(answers.map(({ headers }) => headers.get('X-RateLimit-Remaining'))).toEqual(
      [58, 57, 56, 55, 54].map(String),
    );
    expect(work.started).toBe(5);
    expect(await usageOf(key)).toEqual({ calls: 2, billable_calls: 1 });
  });

  test('are charged once also when they run at the same time, and the first of them fails', async () => {
    const key = await usedKey();
    work.handler = () => new Response('no', { status: work.started === 1 ? 500 : 200 });
    const statuses = (await Promise.all([1, 2, 3].map(() => tryCall(key, 'a')))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 500]);
    expect(await usageOf(key)).toEqual({ calls: 2, billable_calls: 1 });
  });

  test('cost nothing while all of them fail', async () => {
    const key = await usedKey();
    work.handler = () => new Response('no', { status: 422 });
    for (let i = 0; i < MAX_TRIES + 2; i++) expect((await tryCall(key, 'a')).status).toBe(422);
    expect(await usageOf(key)).toEqual({ calls: 1, billable_calls: 0 });
  });

  test(`are refused past ${MAX_TRIES} that were served`, async () => {
    const key = await usedKey();
    for (let i = 0; i < MAX_TRIES; i++) expect((await tryCall(key, 'a')).status).toBe(200);
    const refused = await tryCall(key, 'a');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: 'bad_request' });
    expect(await usageOf(key)).toEqual({ calls: 2, billable_calls: 1 });
  });

  test('are served although the cap is reached: the call is charged already', async () => {
    const { key } = await issueKey({ plan: 'pro', monthly_billable_cap: 1 });
    await ask('/work', { key });
    expect((await tryCall(key, 'a')).status).toBe(200);
    expect((await tryCall(key, 'b')).status).toBe(402);
    expect((await tryCall(key, 'a')).status).toBe(200);
  });
});

test('another key, address or caller makes another call', async () => {
  const key = await usedKey();
  const other = await usedKey();
  for (const each of ['a', 'b']) await tryCall(key, each);
  await tryCall(key, 'a', '/timed');
  await tryCall(other, 'a');
  expect(await usageOf(key)).toEqual({ calls: 4, billable_calls: 3 });
  expect(await usageOf(other)).toEqual({ calls: 2, billable_calls: 1 });
});

test('with and without quotes a key is the same', async () => {
  const key = await usedKey();
  for (const each of ['a-1', '"a-1"', ' "a-1" ']) await tryCall(key, each);
  expect(await usageOf(key)).toEqual({ calls: 2, billable_calls: 1 });
});

test.each(['', '""', 'a b', '"a"b"', 'x'.repeat(256)])('refuses %j, and counts nothing', async (name) => {
  const key = await usedKey();
  const refused = await tryCall(key, name);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: 'bad_request' });
  expect(work.started).toBe(0);
  expect(await usageOf(key)).toEqual({ calls: 1, billable_calls: 0 });
});

test('means nothing without an API key', async () => {
  const anonymous = () => ask('/work', { ip: '198.51.100.77', headers: { 'Idempotency-Key': 'a' } });
  expect((await anonymous()).status).toBe(200);
  expect((await anonymous()).status).toBe(429);
});
