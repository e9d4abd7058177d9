import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { CallMeter } from '../../src/metering/call_meter.ts';
import { Meter } from '../../src/metering/meter.ts';
import { SqlJournal } from '../../src/metering/sql_journal.ts';

const { CALL_METER } = env as { CALL_METER: DurableObjectNamespace<CallMeter> };

const terms = { limit: 600, cap: 1_000_000 };
const start = Date.UTC(2099, 0, 31, 12);

/** Rows that the database says were written by so many calls, one a second, each settled at once. */
async function rowsWritten(calls: number, hashOf: (call: number) => number | null): Promise<number> {
  return runInDurableObject(CALL_METER.getByName(`rows ${calls}`), (_object, { storage: { sql } }) => {
    let rows = 0;
    const counted = {
      exec(query: string, ...values: unknown[]) {
        const cursor = sql.exec(query, ...values);
        rows += /^\s*(?:INSERT|DELETE)/.test(query) ? cursor.rowsWritten : 0;
        return cursor;
      },
    } as unknown as SqlStorage;
    const journal = new SqlJournal(counted);
    const meter = new Meter(journal.load(), journal);
    for (let call = 1; call <= calls; call++) {
      const hash = hashOf(call);
      meter.admit(call, terms, start + 1000 * call, hash);
      if (hash !== null) meter.isSameContent(call, call, start + 1000 * call);
      meter.settle(call, start + 1000 * call);
    }
    meter.expire(start + 1000 * calls + 60_000);
    return rows;
  });
}

// A row costs a dollar a million: docs/capacity.md.
test('a served call writes four rows: its place, the month, its end, its leaving; and a day one more', async () => {
  expect(await rowsWritten(300, () => null)).toBe(4 * 300 + 1);
});

test('an idempotency key writes five rows more: its try and two indexes, its content and one', async () => {
  expect(await rowsWritten(301, (call) => call)).toBe(9 * 301 + 1);
});
