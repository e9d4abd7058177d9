import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_OLDER_CALLS } from '../../src/metering/admitted_calls.ts';
import { SETTLE_WITHIN_MS } from '../../src/metering/meter.ts';
import { monthAt } from '../../src/metering/months.ts';
import { ABORT_REFUNDS_PER_WINDOW, REFUNDS_PER_WINDOW } from '../../src/metering/refunds.ts';
import { anonymous, CALL_METER, dump, facts, pro, start } from './counting_object.ts';

let objects = 0;
const newStub = () => CALL_METER.getByName(`object ${++objects}`);
const stepTo = (offset: number) => vi.setSystemTime(start + offset);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The tables that objects of the first version have on disk. */
const firstSchema = `
  CREATE TABLE places (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, month INTEGER NOT NULL,
    billable INTEGER NOT NULL, settle_by INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE returns (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
  CREATE TABLE months (month INTEGER PRIMARY KEY, calls INTEGER NOT NULL, billable INTEGER NOT NULL) STRICT;
  CREATE TABLE key_facts (
    one INTEGER PRIMARY KEY CHECK (one = 1), plan INTEGER NOT NULL, cap INTEGER NOT NULL, issued_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE revoked (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT;
`;

describe('CallMeter', () => {
  test('keeps the window after an eviction', async () => {
    const stub = newStub();
    const small = { limit: 2, cap: 5 };
    expect(await stub.admit(1, small, null)).toMatchObject({ outcome: 'admitted', billable: false });
    await evictDurableObject(stub);
    stepTo(30_000);
    expect(await stub.admit(2, small, null)).toMatchObject({ outcome: 'admitted', billable: true });
    await evictDurableObject(stub);
    stepTo(59_999);
    const refused = await stub.admit(3, small, null);
    expect(refused).toMatchObject({ outcome: 'rate_limited', retryAfterSeconds: 1, billable: false });
    expect(refused.reading).toMatchObject({
      remaining: 0,
      resetAt: start + 60_000,
      calls: 2,
      billableCalls: 1,
    });
    await evictDurableObject(stub);
    stepTo(60_000);
    expect(await stub.admit(4, small, null)).toMatchObject({ outcome: 'admitted', billable: false });
  });

  test('admits exactly the limit of 1,000 simultaneous calls', async () => {
    const stub = newStub();
    const decisions = await Promise.all(Array.from({ length: 1000 }, (_, id) => stub.admit(id, pro, facts)));
    const admitted = decisions.filter(({ outcome }) => outcome === 'admitted');
    expect(admitted).toHaveLength(60);
    expect(admitted.filter(({ billable }) => billable)).toHaveLength(59);
    expect(decisions.filter(({ outcome }) => outcome === 'rate_limited')).toHaveLength(940);
    expect(new Set(admitted.map(({ reading }) => reading.remaining)).size).toBe(60);
    expect(await stub.peek(pro)).toMatchObject({ remaining: 0, calls: 60, billableCalls: 59 });
    await evictDurableObject(stub);
    expect(await stub.peek(pro)).toMatchObject({ remaining: 0, calls: 60, billableCalls: 59 });
  });

  test('treats a repeated id as the same call', async () => {
    const stub = newStub();
    await stub.admit(1, pro, facts);
    const first = await stub.admit(2, pro, facts);
    await evictDurableObject(stub);
    expect(await stub.admit(2, pro, facts)).toEqual(first);
    expect(await stub.peek(pro)).toMatchObject({ remaining: 58, calls: 2, billableCalls: 1 });
  });

  test('refunds the window, the free call and the charge, up to the limit of refunds', async () => {
    const stub = newStub();
    for (let id = 0; id < REFUNDS_PER_WINDOW; id++) {
      expect((await stub.admit(id, anonymous, null)).outcome).toBe('admitted');
      expect(await stub.giveBack(id, anonymous)).toMatchObject({
        billable: false,
        reading: { remaining: 1 },
      });
    }
    await evictDurableObject(stub);
    await stub.admit(99, anonymous, null);
    expect(await stub.giveBack(99, anonymous)).toMatchObject({ reading: { remaining: 0 } });
    expect((await stub.admit(100, anonymous, null)).outcome).toBe('rate_limited');
  });

  test('takes the place of an aborted call past a few, so that a caller starts few jobs', async () => {
    const stub = newStub();
    const outcomes: string[] = [];
    for (let id = 0; id < 10; id++) {
      outcomes.push((await stub.admit(id, anonymous, null)).outcome);
      await stub.giveBack(id, anonymous, 'aborted');
      await evictDurableObject(stub);
    }
    expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(ABORT_REFUNDS_PER_WINDOW + 1);
  });

  test('reads and extends what the first version stored, which can read it too', async () => {
    const stub = newStub();
    await runInDurableObject(stub, (_object, { storage }) => {
      storage.sql.exec(firstSchema);
      const month = monthAt(start);
      storage.sql.exec('INSERT INTO places VALUES (1, ?, ?, 0, ?)', start, month, start + SETTLE_WITHIN_MS);
      storage.sql.exec('INSERT INTO places VALUES (2, ?, ?, 1, 0)', start, month);
      storage.sql.exec('INSERT INTO returns VALUES (3, ?)', start);
      storage.sql.exec('INSERT INTO months VALUES (?, 2, 1)', month);
    });
    await evictDurableObject(stub);
    expect(await stub.peek(pro)).toMatchObject({ remaining: 58, calls: 2, billableCalls: 1 });
    await evictDurableObject(stub);
    expect((await stub.giveBack(1, pro, 'aborted')).reading).toMatchObject({ calls: 1, billableCalls: 0 });
    expect(await dump(stub)).toMatchObject({ returns: [{ id: 3 }], aborts: [{ id: 1 }] });
    await runInDurableObject(stub, (_object, { storage }) => {
      storage.sql.exec('INSERT INTO places VALUES (4, ?, 0, 0, 0)', start);
      storage.sql.exec('INSERT INTO returns VALUES (5, ?)', start);
    });
  });

  test('takes the key of an object of the first version as issued, and changes and rotates it', async () => {
    const stub = newStub();
    await runInDurableObject(stub, (_object, { storage }) => {
      storage.sql.exec(firstSchema);
      storage.sql.exec('INSERT INTO key_facts VALUES (1, 1, 7, ?)', facts.issuedAt);
      storage.sql.exec('INSERT INTO months VALUES (?, 9, 3)', monthAt(start));
    });
    await evictDurableObject(stub);
    const first = await stub.admit(1, pro, facts, { issued: null });
    expect(first).toMatchObject({ outcome: 'admitted', reading: { key: { plan: 1, cap: 7, mills: 12 } } });
    expect(await stub.change({ plan: 2, cap: 9 }, null)).toMatchObject({ plan: 2, cap: 9, mills: 12 });
    await evictDurableObject(stub);
    await stub.rotate(facts.issuedAt + 5, 1000, null);
    await evictDurableObject(stub);
    const newer = { ...facts, issuedAt: facts.issuedAt + 5 };
    const second = await stub.admit(2, pro, newer, { issued: null });
    expect(second).toMatchObject({ outcome: 'admitted', billable: true });
    expect(second.reading).toMatchObject({ limit: 600, billableCalls: 4, key: { plan: 2, mills: 14 } });
    stepTo(1000);
    expect(await stub.admit(3, pro, facts, { issued: null })).toMatchObject({ outcome: 'replaced' });
  });

  test('remembers a bounded number of calls that nobody settles', async () => {
    const stub = newStub();
    const limitless = { limit: 10_000, cap: 100_000 };
    for (let id = 1; id <= 2 * MAX_OLDER_CALLS; id++) await stub.admit(id, limitless, null);
    stepTo(60_000);
    await stub.admit(99_999, limitless, null);
    const { places, months } = await dump(stub);
    expect(places).toHaveLength(MAX_OLDER_CALLS + 1);
    // Those forgotten are not known to have been served, so they are not charged.
    expect(months?.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(MAX_OLDER_CALLS + 1);
  });

  test('does not charge a call that is never settled', async () => {
    const stub = newStub();
    await stub.admit(1, pro, facts);
    await stub.admit(2, pro, facts);
    await stub.settle(1);
    stepTo(SETTLE_WITHIN_MS);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    const tables = await dump(stub);
    expect(tables.places).toEqual([]);
    expect(tables.months).toEqual([{ month: monthAt(start), calls: 1, billable: 0 }]);
  });

  test('keeps the counters of 13 months', async () => {
    const stub = newStub();
    for (let each = 0; each < 15; each++) {
      vi.setSystemTime(Date.UTC(2099, each, 2));
      await stub.admit(each, pro, facts);
      await stub.settle(each);
    }
    const months = Array.from({ length: 13 }, (_, index) => monthAt(start) + 2 + index);
    expect((await stub.usage())?.history.map(({ month }) => month)).toEqual(months);
    expect((await dump(stub)).months?.map(({ month }) => month)).toEqual(months);
  });

  test('refuses a revoked key for good, and keeps the time of the first revocation', async () => {
    const stub = newStub();
    await stub.admit(1, pro, facts);
    stepTo(1000);
    await stub.revoke();
    stepTo(2000);
    await stub.revoke();
    await evictDurableObject(stub);
    expect((await stub.admit(2, pro, facts)).outcome).toBe('revoked');
    expect(await stub.peek(pro)).toMatchObject({ revoked: true, remaining: 0, calls: 1 });
    expect(await stub.usage()).toMatchObject({ revokedAt: start + 1000 });
  });
});
