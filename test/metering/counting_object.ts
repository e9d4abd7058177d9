import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { CallMeter } from '../../src/metering/call_meter.ts';
import type { Terms } from '../../src/metering/meter.ts';

export const { CALL_METER } = env as { CALL_METER: DurableObjectNamespace<CallMeter> };

export const anonymous: Terms = { limit: 1, cap: null };
export const pro: Terms = { limit: 60, cap: 100_000 };
export const facts = { plan: 1, cap: 100_000, issuedAt: Date.UTC(2099, 0, 1) };
/** Far in the future, so that no alarm goes off while the tests advance the clock. */
export const start = Date.UTC(2099, 0, 31, 23, 58, 0);

/** All rows of all tables of an object's own database. */
export function dump(stub: DurableObjectStub<CallMeter>): Promise<Record<string, Record<string, unknown>[]>> {
  return runInDurableObject(stub, (_object, state) => {
    const { sql } = state.storage;
    const names = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    );
    return Object.fromEntries(
      [...names].map(({ name }) => [name, sql.exec(`SELECT * FROM ${name} ORDER BY 1`).toArray()]),
    );
  });
}
