import { describe, expect, test } from 'vitest';
import { SanitizerError } from '../../client/error.ts';
import { defaultRetryPolicy, type Repetition, type Retry, withRetries } from '../../client/retry.ts';

const failure = (status: number, retryAfter?: number, code: SanitizerError['code'] = 'internal_error') =>
  new SanitizerError(code, 'no', status, retryAfter === undefined ? {} : { retry_after_seconds: retryAfter });

const harmless: Repetition = {
  isHarmless: true,
  isBodyRead: () => false,
  timeLeft: () => 300_000,
  signal: undefined,
};

/** Makes calls that end as listed (null: success), with almost no waits. */
async function run(ends: (Error | null)[], policy = {}, repetition: Partial<Repetition> = {}) {
  const retries: Retry[] = [];
  let calls = 0;
  const result = await withRetries(
    async () => {
      const end = ends[calls++];
      if (end) throw end;
      return 'done';
    },
    { ...defaultRetryPolicy, firstWaitMs: 0, onRetry: (retry) => retries.push(retry), ...policy },
    { ...harmless, ...repetition },
    () => 0.5,
  ).catch((error: Error) => error);
  return { result, calls, retries };
}

describe('a call is tried again', () => {
  test('after a 5xx, up to three attempts in all', async () => {
    expect(await run([failure(500), failure(503), null])).toMatchObject({ result: 'done', calls: 3 });
    const last = failure(502);
    expect(await run([failure(500), failure(503), last, null])).toMatchObject({ result: last, calls: 3 });
  });

  test('once after a 429, which does not count as an attempt', async () => {
    const { result, calls } = await run([failure(429, 0), failure(500), failure(500), null]);
    expect({ result, calls }).toEqual({ result: 'done', calls: 4 });
    expect(await run([failure(429, 0), failure(429, 0), null])).toMatchObject({ calls: 2 });
  });

  test('never after other 4xx, admin_disabled or other exceptions', async () => {
    for (const end of [failure(400), failure(401), failure(402), failure(422), failure(429)])
      expect(await run([end, null])).toMatchObject({ result: end, calls: 1 });
    expect(await run([failure(503, undefined, 'admin_disabled'), null])).toMatchObject({ calls: 1 });
    expect(await run([new TypeError('own mistake'), null])).toMatchObject({ calls: 1 });
  });

  test('after a broken connection, unless a call that was served does harm a second time', async () => {
    for (const code of ['network_error', 'broken_download'] as const) {
      const broken = failure(0, undefined, code);
      expect(await run([broken, broken, null])).toMatchObject({ result: 'done', calls: 3 });
      expect(await run([broken, broken, broken, null])).toMatchObject({ result: broken, calls: 3 });
      expect(await run([broken, null], {}, { isHarmless: false })).toMatchObject({ calls: 1 });
    }
    expect(await run([failure(0, undefined, 'timeout'), null])).toMatchObject({ calls: 1 });
  });

  test('not if its body is a stream that was read, which the error says', async () => {
    const { result, calls } = await run([failure(503), null], {}, { isBodyRead: () => true });
    expect(calls).toBe(1);
    expect((result as Error).message).toMatch(/^no The call was not repeated, since its image is a stream/);
    const final = await run([failure(400), null], {}, { isBodyRead: () => true });
    expect((final.result as Error).message).toBe('no');
  });

  test('not if the wait is longer than the call has time', async () => {
    expect(await run([failure(429, 10), null], {}, { timeLeft: () => 9_999 })).toMatchObject({ calls: 1 });
  });

  test('not if the wait is longer than the policy allows', async () => {
    expect(await run([failure(429, 10), null], { longestWaitMs: 9_999 })).toMatchObject({ calls: 1 });
  });
});

test('the wait is the stated time, or doubles each time', async () => {
  const { retries } = await run([failure(500), failure(500), null], { firstWaitMs: 8 });
  expect(retries.map(({ waitMs }) => waitMs)).toEqual([8, 16]);
  const stated = await run([failure(429, 0.004), null], { firstWaitMs: 8 });
  expect(stated.retries.map(({ waitMs }) => waitMs)).toEqual([4]);
  const both = await run([failure(503, 0.012), null], { firstWaitMs: 8 });
  expect(both.retries.map(({ waitMs }) => waitMs)).toEqual([12]);
});

test('an abort ends the wait with its own reason', async () => {
  const stop = new AbortController();
  const policy = { ...defaultRetryPolicy, onRetry: () => setTimeout(() => stop.abort(new Error('enough'))) };
  const call = () => Promise.reject(failure(429, 60));
  await expect(withRetries(call, policy, { ...harmless, signal: stop.signal })).rejects.toThrow('enough');
});
