import { expect, test } from 'vitest';
import { FailureThrottle, MAX_ADDRESSES, MAX_FAILURES } from '../../../src/api/caller/failure_throttle.ts';
import { ask, issueKey } from '../billing/counting_app.ts';

test('an address is blocked past so many failures, until a minute after the first', () => {
  const throttle = new FailureThrottle();
  for (let i = 0; i < MAX_FAILURES; i++) expect(throttle.add('a', 1000 + i)).toBe(0);
  expect(throttle.add('a', 2000)).toBe(59);
  expect(throttle.secondsLeft('a', 60_999)).toBe(1);
  expect(throttle.secondsLeft('b', 2000)).toBe(0);
  expect(throttle.secondsLeft('a', 61_000)).toBe(0);
  expect(throttle.add('a', 61_000)).toBe(0);
});

test('a clock that steps back unblocks', () => {
  const throttle = new FailureThrottle();
  for (let i = 0; i <= MAX_FAILURES; i++) throttle.add('a', 1000);
  expect(throttle.secondsLeft('a', 999)).toBe(0);
});

test('a bounded number of addresses is remembered', () => {
  const throttle = new FailureThrottle();
  for (let i = 0; i < MAX_FAILURES; i++) throttle.add('first', 0);
  expect(throttle.secondsLeft('first', 0)).toBe(60);
  for (let i = 0; i < MAX_ADDRESSES; i++) throttle.add(`address ${i}`, 0);
  expect(throttle.secondsLeft('first', 0)).toBe(0);
});

test('wrong keys of one address become 429; its valid keys still pass', async () => {
  const ip = '203.0.113.160';
  const { key } = await issueKey();
  const statuses = [];
  for (let i = 0; i <= MAX_FAILURES; i++)
    statuses.push(
      (await ask(i % 2 ? '/work' : '/v1/usage', { ip, key: `isk_wrong${i}`, method: i % 2 ? 'POST' : 'GET' }))
        .status,
    );
  expect(statuses).toEqual([...Array(MAX_FAILURES).fill(401), 429]);
  const refused = await ask('/work', { ip, key: 'isk_wrong' });
  expect(await refused.json()).toMatchObject({ error: 'rate_limit_exceeded' });
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await ask('/work', { ip, key })).status).toBe(200);
  expect((await ask('/work', { ip })).status).toBe(200);
});
