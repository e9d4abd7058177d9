import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { CallMeter } from '../../src/metering/call_meter.ts';
import { type IndexedKey, KeyIndex } from '../../src/metering/key_index.ts';

const { CALL_METER } = env as { CALL_METER: DurableObjectNamespace<CallMeter> };

let objects = 0;

/** Runs a test on the storage of an object that is not used yet. */
const withIndex = (block: (index: KeyIndex, sql: SqlStorage) => void) =>
  runInDurableObject(CALL_METER.getByName(`index ${++objects}`), (_object, { storage }) =>
    block(new KeyIndex(storage.sql), storage.sql),
  );

const key: IndexedKey = { plan: 1, cap: 9, issuedAt: 1000, label: null, expiresAt: null, revokedAt: null };
const id = (digits: string) => `key_${digits.padStart(24, '0')}`;

test('pages are in the order of entry, and an entry that changes keeps its place', () =>
  withIndex((index) => {
    const ids = ['c', 'a', 'ffffffffffffffffffffffff', '123456789abc000000000001'].map(id);
    for (const each of ids) index.put(each, key);
    index.put(id('a'), { ...key, plan: 2, cap: 5, label: 7, expiresAt: 2000, revokedAt: 3000 });
    expect(index.page(null, 2)).toEqual({
      keys: [
        { id: id('c'), ...key },
        { id: id('a'), plan: 2, cap: 5, issuedAt: 1000, label: 7, expiresAt: 2000, revokedAt: 3000 },
      ],
      more: true,
    });
    expect(index.page(id('a'), 2)?.keys.map((each) => each.id)).toEqual(ids.slice(2));
    expect(index.page(id('a'), 2)?.more).toBe(false);
    expect(index.page(ids.at(-1)!, 2)).toEqual({ keys: [], more: false });
  }));

test('a key that was never entered is in no page', () =>
  withIndex((index) => {
    expect(index.page(null, 2)).toEqual({ keys: [], more: false });
    expect(index.page(id('b'), 2)).toBeNull();
    expect(index.has(id('b'))).toBe(false);
    index.put(id('b'), key);
    expect(index.has(id('b'))).toBe(true);
  }));

test('a revocation stays when what was read before it comes later', () =>
  withIndex((index) => {
    index.put(id('d'), { ...key, revokedAt: 3000 });
    index.put(id('d'), key);
    expect(index.page(null, 1)?.keys[0]).toMatchObject({ revokedAt: 3000 });
  }));

test('it holds numbers alone, and writes only what has changed', () =>
  withIndex((index, sql) => {
    index.put(id('e'), key);
    const [row] = sql.exec('SELECT * FROM issued_keys').toArray();
    expect(new Set(Object.values(row!).map((value) => typeof value))).toEqual(new Set(['number', 'object']));
    expect(() => sql.exec("UPDATE issued_keys SET label = 'a customer'")).toThrow();
    const changes = () => sql.exec<{ n: number }>('SELECT total_changes() AS n').one().n;
    const before = changes();
    index.put(id('e'), key);
    expect(changes()).toBe(before);
    index.put(id('e'), { ...key, cap: 10 });
    expect(changes()).toBe(before + 1);
  }));
