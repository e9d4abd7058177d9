import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import type { CallMeter } from '../../../src/metering/call_meter.ts';
import {
  ask,
  bindings,
  issueKey,
  meteringHeaders,
  resetError,
  useClock,
  WatchedNamespace,
  wait,
  work,
} from './counting_app.ts';

/** Not on a whole second. */
useClock(Date.UTC(2099, 5, 15, 12, 0, 0, 250));
let address = 0;
/** A new anonymous caller, of none of the networks of counting_app's other file. */
const newIp = () => `203.0.113.${++address}`;

describe('while the meter can not be reached', () => {
  const watched = new WatchedNamespace();
  const broken = { CALL_METER: watched };

  test('metered calls are 503 and cause no work', async () => {
    watched.broken = Number.POSITIVE_INFINITY;
    const refused = await ask('/work', { ip: newIp(), bindings: broken });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: 'overloaded' });
    expect(meteringHeaders(refused)).toMatchObject({
      plan: 'free',
      limit: 1,
      billable: 'false',
      retention: 'none',
    });
    expect(work.started).toBe(0);
  });

  test('metered calls are 503 without a second attempt if it is overloaded', async () => {
    watched.broken = Number.POSITIVE_INFINITY;
    watched.error = () => Object.assign(new Error('busy'), { overloaded: true, retryable: true });
    watched.asked.length = 0;
    expect((await ask('/work', { ip: newIp(), bindings: broken })).status).toBe(503);
    expect(watched.asked).toHaveLength(1);
    watched.error = resetError;
  });

  test('a call that was admitted though its caller was told 503 takes no place', async () => {
    const ip = newIp();
    let lost = 0;
    const answersLost = {
      getByName: (name: string) => {
        const stub = bindings.CALL_METER.getByName(name);
        const admit = async (...call: Parameters<CallMeter['admit']>) => {
          await stub.admit(...call);
          lost++;
          throw resetError();
        };
        const giveBack = async (...call: Parameters<CallMeter['giveBack']>) => await stub.giveBack(...call);
        return { admit, giveBack };
      },
    };
    expect((await ask('/work', { ip, bindings: { CALL_METER: answersLost } })).status).toBe(503);
    expect(lost).toBeGreaterThan(0);
    expect((await ask('/work', { ip })).status).toBe(200);
  });

  test('a second attempt is made, and the call counts once', async () => {
    watched.broken = 0;
    const { key } = await issueKey();
    await ask('/work', { key, bindings: broken });
    watched.broken = 1;
    expect(meteringHeaders(await ask('/work', { key, bindings: broken }))).toMatchObject({
      remaining: 58,
      cents: '0.4',
    });
  });

  test('a failed call is not charged, and its headers say so', async () => {
    watched.broken = 0;
    const { key } = await issueKey();
    await ask('/work', { key, bindings: broken });
    work.handler = () => {
      watched.broken = 3;
      return new Response('no', { status: 422 });
    };
    const failed = await ask('/work', { key, bindings: broken });
    expect(meteringHeaders(failed)).toMatchObject({ billable: 'false', cents: '0' });
    wait(3_600_000);
    expect(meteringHeaders(await ask('/v1/usage', { method: 'GET', key }))).toMatchObject({
      cents: '0',
      remaining: 60,
    });
  });
});

describe('when storage fails between the admission and the end of a call', () => {
  const { CALL_METER } = bindings;
  const usage = async (key: string) => (await ask('/v1/usage', { method: 'GET', key })).json();

  test.each([
    ['refund', 422, { calls: 1, billable_calls: 0 }],
    ['settlement', 200, { calls: 2, billable_calls: 1 }],
  ])('a %s that could not be written is told before the next question', async (_end, status, expected) => {
    const { key, key_id } = await issueKey();
    await ask('/work', { key });
    const stub = CALL_METER.getByName(key_id);
    work.handler = async () => {
      await runInDurableObject(stub, (_object, { storage }) => {
        storage.sql.exec('ALTER TABLE places RENAME TO hidden');
      });
      return new Response('the end', { status });
    };
    const ended = await ask('/work', { key });
    expect(ended.status).toBe(status);
    expect(ended.headers.get('X-Service-Billable')).toBe(String(status === 200));
    await runInDurableObject(stub, (_object, { storage }) => {
      storage.sql.exec('ALTER TABLE hidden RENAME TO places');
    });
    expect(await usage(key)).toMatchObject(expected);
    wait(3_600_000);
    expect(await usage(key)).toMatchObject(expected);
  });
});

test('elapsed time is measured from the admission to a round trip to the meter', async () => {
  const watched = new WatchedNamespace();
  let askedBefore = 0;
  work.handler = () => {
    wait(1234);
    askedBefore = watched.asked.length;
    return new Response();
  };
  const response = await ask('/timed', { ip: newIp(), bindings: { CALL_METER: watched } });
  expect(await response.json()).toEqual({ durationMs: 1234 });
  expect(watched.asked.length).toBe(askedBefore + 1);
});
