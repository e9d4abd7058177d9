import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallMeter } from '../../src/metering/call_meter.ts';
import { SETTLE_WITHIN_MS } from '../../src/metering/meter.ts';
import { monthAt } from '../../src/metering/months.ts';
import { firstTables, schemas } from '../../src/metering/sql_tables.ts';
import { anonymous, CALL_METER, dump, facts, pro, start } from './counting_object.ts';

let objects = 0;
const newStub = () => CALL_METER.getByName(`stored object ${++objects}`);
const stepTo = (offset: number) => vi.setSystemTime(start + offset);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the stored data', () => {
  test('is only these numbers', async () => {
    const stub = newStub();
    await stub.admit(1, pro, facts);
    await stub.admit(2, pro, facts);
    await stub.admit(3, pro, facts);
    await stub.giveBack(2, pro);
    await stub.settle(3);
    await stub.revoke();
    const month = monthAt(start);
    const settleBy = start + SETTLE_WITHIN_MS;
    const tables = await dump(stub);
    expect(tables).toEqual({
      places: [
        { id: 1, at: start, month, billable: 0, settle_by: settleBy },
        { id: 3, at: start, month, billable: 1, settle_by: 0 },
      ],
      returns: [{ id: 2, at: start }],
      months: [{ month, calls: 2, billable: 1 }],
      key_facts: [{ one: 1, plan: facts.plan, cap: facts.cap, issued_at: facts.issuedAt }],
      revoked: [{ one: 1, at: start }],
      days: [{ day: Math.floor(start / 86_400_000), calls: 0, billable: 0 }],
    });
    const cells = Object.values(tables)
      .flat()
      .flatMap((row) => Object.values(row));
    expect(new Set(cells.map((cell) => typeof cell))).toEqual(new Set(['number']));
    const keys = await runInDurableObject(stub, async (_object, state) => [
      ...(await state.storage.list()).keys(),
    ]);
    expect(keys).toEqual([]);
  });

  test('can not contain anything but numbers', async () => {
    const stub = newStub();
    const hash = 5;
    await stub.admit(1, pro, facts, {}, hash);
    await stub.isSameContent(1, 9);
    await stub.giveBack(1, pro, 'aborted');
    await stub.change({ plan: facts.plan + 1, label: 7 }, null);
    await stub.enlist(`key_${'4'.repeat(24)}`, {
      ...facts,
      label: null,
      expiresAt: null,
      revokedAt: null,
    });
    const tables = Object.keys(await dump(stub));
    expect(tables.sort()).toEqual(Object.keys(schemas).sort());
    await runInDurableObject(stub, (_object, { storage }) => {
      const columns = tables.flatMap((table) =>
        storage.sql.exec<{ type: string }>(`PRAGMA table_info(${table})`).toArray(),
      );
      expect(new Set(columns.map(({ type }) => type))).toEqual(new Set(['INTEGER']));
      expect(() => storage.sql.exec("INSERT INTO returns VALUES (7, '192.0.2.1')")).toThrow();
    });
  });

  test('of an object has the tables that it needs, and what version 1.0.0 reads beside them', async () => {
    const record = newStub();
    await record.issue(facts);
    expect(await dump(record)).toEqual({ key_facts: [storedFacts()] });
    await record.change({ label: 7 }, null);
    expect(Object.keys(await dump(record))).toEqual(['key_facts', 'key_terms']);
    const revoked = newStub();
    await revoked.revoke();
    expect(Object.keys(await dump(revoked)).sort()).toEqual([...firstTables].sort());
    const used = newStub();
    await used.admit(1, pro, facts);
    await evictDurableObject(used);
    await used.giveBack(1, pro, 'aborted');
    await used.admit(2, pro, facts);
    expect(Object.keys(await dump(used)).sort()).toEqual([...firstTables, 'days', 'aborts'].sort());
  });

  test('of an idempotency key are numbers, and deleted a day after the first try', async () => {
    const stub = newStub();
    const hash = 2 ** 53 - 1;
    await stub.admit(1, pro, facts, {}, 5);
    await stub.admit(2, pro, facts, {}, hash);
    stepTo(1000);
    await stub.admit(3, pro, facts, {}, hash);
    for (const [id, content] of [
      [1, 7],
      [2, hash],
      [3, hash],
    ] as const)
      expect(await stub.isSameContent(id, content)).toBe(true);
    await Promise.all([1, 2, 3].map((id) => stub.settle(id)));
    const first = { hash, at: start, billable: 1 };
    expect(await dump(stub)).toMatchObject({
      tries: [{ id: 1 }, { id: 2, ...first, counted: 1 }, { id: 3, hash, at: start, counted: 0 }],
      months: [{ calls: 2, billable: 1 }],
      contents: [
        { hash: 5, content: 7, at: start },
        { hash, content: hash, at: start },
      ],
    });
    stepTo(61_000);
    await runDurableObjectAlarm(stub);
    expect(await dump(stub)).toMatchObject({ places: [], months: [{ calls: 2, billable: 1 }] });
    expect(await alarmOf(stub)).toBe(start + 86_400_000);
    await evictDurableObject(stub);
    stepTo(86_399_999);
    const last = await stub.admit(4, pro, facts, {}, hash);
    expect(last).toMatchObject({ outcome: 'admitted', billable: true });
    expect((await stub.giveBack(4, pro)).reading).toMatchObject({ billableCalls: 0 });
    stepTo(86_400_000 + 60_000);
    await runDurableObjectAlarm(stub);
    expect(await dump(stub)).toMatchObject({ tries: [], contents: [] });
    expect(await alarmOf(stub)).toBeNull();
  });

  test('of an idempotency key is moved to the present where the clock was ahead', async () => {
    const stub = newStub();
    stepTo(8 * 86_400_000);
    await stub.admit(1, pro, facts, {}, 5);
    await stub.isSameContent(1, 7);
    await stub.settle(1);
    stepTo(8 * 86_400_000 + 60_000);
    await runDurableObjectAlarm(stub);
    await evictDurableObject(stub);
    stepTo(0);
    await stub.admit(2, pro, facts, {}, 6);
    await stub.settle(2);
    expect(await dump(stub)).toMatchObject({
      tries: [{ at: start }, { at: start }],
      contents: [{ at: start }],
    });
    stepTo(60_000);
    await runDurableObjectAlarm(stub);
    expect(await alarmOf(stub)).toBe(start + 86_400_000);
  });

  test('of a key is deleted by the alarm, except its counters', async () => {
    const stub = newStub();
    await stub.admit(1, pro, facts);
    await stub.settle(1);
    await stub.admit(2, pro, facts);
    await stub.giveBack(2, pro);
    expect(await alarmOf(stub)).toBe(start + 60_000);
    stepTo(60_000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await dump(stub)).toMatchObject({
      places: [],
      returns: [],
      months: [{ calls: 1 }],
      key_facts: [storedFacts()],
    });
    expect(await alarmOf(stub)).toBeNull();
  });

  test('is deleted in time even if an alarm for an unsettled call is set much later', async () => {
    const stub = newStub();
    await stub.admit(1, pro, facts);
    stepTo(60_000);
    await runDurableObjectAlarm(stub);
    expect(await alarmOf(stub)).toBe(start + SETTLE_WITHIN_MS);
    stepTo(100_000);
    await stub.admit(2, pro, facts);
    expect(await alarmOf(stub)).toBe(start + 160_000);
  });

  test('is kept if the alarm goes off early, which is then set again', async () => {
    const stub = newStub();
    await stub.admit(1, anonymous, null);
    stepTo(59_999);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await dump(stub)).toMatchObject({ places: [{ id: 1 }] });
    expect(await alarmOf(stub)).toBe(start + 60_000);
  });

  test('of an anonymous caller is deleted with the object at the end of the window', async () => {
    const stub = newStub();
    await stub.admit(1, anonymous, null);
    stepTo(20_000);
    await stub.giveBack(1, anonymous);
    stepTo(30_000);
    await stub.admit(2, anonymous, null);
    stepTo(60_000);
    await runDurableObjectAlarm(stub);
    expect(await dump(stub)).toMatchObject({ places: [{ id: 2 }], returns: [{ id: 1 }] });
    stepTo(90_000);
    expect(await alarmOf(stub)).toBe(start + 90_000);
    await runDurableObjectAlarm(stub);
    expect(await dump(stub)).toEqual({});
    expect(await alarmOf(stub)).toBeNull();
    expect((await stub.admit(3, anonymous, null)).outcome).toBe('admitted');
    expect(await dump(stub)).toMatchObject({ places: [{ id: 3 }] });
  });

  test('is empty after reads for a caller never seen', async () => {
    const stub = newStub();
    expect(await stub.peek(pro)).toMatchObject({ remaining: 60, resetAt: start, calls: 0, revoked: false });
    expect(await stub.usage()).toBeNull();
    await stub.giveBack(1, pro);
    await stub.settle(1);
    await stub.tick();
    expect(await dump(stub)).toEqual({});
    expect(await alarmOf(stub)).toBeNull();
  });

  test('is unchanged if a write fails', async () => {
    const stub = newStub();
    await stub.admit(1, pro, facts);
    await runInDurableObject(stub, (object, { storage }) => {
      storage.sql.exec('ALTER TABLE months RENAME TO hidden');
      expect(() => object.admit(2, pro, facts)).toThrow(/months/);
      storage.sql.exec('ALTER TABLE hidden RENAME TO months');
      expect(object.peek(pro)).toMatchObject({ remaining: 59, calls: 1 });
    });
  });
});

function storedFacts() {
  return { one: 1, plan: facts.plan, cap: facts.cap, issued_at: facts.issuedAt };
}

function alarmOf(stub: DurableObjectStub<CallMeter>): Promise<number | null> {
  return runInDurableObject(stub, (_object, state) => state.storage.getAlarm());
}
