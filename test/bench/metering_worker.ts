import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';
import { responseHeaders } from '../../src/api/answers/response_headers.ts';
import { recordIssue } from '../../src/api/billing/issued_keys.ts';
import { randomCallId } from '../../src/api/billing/meter_client.ts';
import { metered } from '../../src/api/billing/metering.ts';
import type { Env } from '../../src/api/env.ts';
import { accountOf } from '../../src/metering/key_account.ts';
import { KEY_ID_BYTES, keyIdFrom, signKey } from '../../src/metering/key_tokens.ts';

export { CallMeter } from '../../src/metering/call_meter.ts';

/** The least that an object can durably do: one row. What a meter takes beyond it is the meter's own. */
class OneRow extends DurableObject {
  constructor(state: DurableObjectState, env: unknown) {
    super(state, env as Cloudflare.Env);
    state.storage.sql.exec('CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY) STRICT');
  }

  write(id: number): void {
    this.ctx.storage.sql.exec('INSERT INTO rows VALUES (?)', id);
  }
}

interface BenchEnv extends Env {
  Bindings: Env['Bindings'] & { readonly ONE_ROW: DurableObjectNamespace<OneRow> };
}

const terms = { limit: 600, cap: 1_000_000_000 };
const facts = { plan: 2, cap: terms.cap, issuedAt: 0 };

/**
 * The Worker that metering.bench.ts times. `/admissions`, `/rows` and `/ticks` ask objects `calls` times from
 * inside, `at` once, spread over `objects`: to admit a call, to write one row, to answer nothing. `/key` is a
 * fresh key. `/plain` and `/metered` differ by metering alone.
 */
const app = new Hono<BenchEnv>();
app.on('GET', ['/admissions', '/rows', '/ticks'], async (c) => {
  const { calls, objects, at, run } = c.req.query();
  const question = {
    '/admissions': async (name: string) => {
      const { outcome } = await c.env.CALL_METER.getByName(name).admit(randomCallId(), terms, facts);
      if (outcome !== 'admitted') throw new Error(outcome);
    },
    '/rows': async (name: string) => await c.env.ONE_ROW.getByName(name).write(randomCallId()),
    '/ticks': async (name: string) => await c.env.CALL_METER.getByName(name).tick(),
  }[c.req.path]!;
  let next = 0;
  const callInTurn = async () => {
    while (next < Number(calls)) await question(`${run} ${next++ % Number(objects)}`);
  };
  await Promise.all(Array.from({ length: Number(at) }, callInTurn));
  return c.text('done');
});
app.get('/key', async (c) => {
  const id = keyIdFrom(crypto.getRandomValues(new Uint8Array(KEY_ID_BYTES)));
  const claims = { id, plan: 'enterprise', cap: terms.cap, issuedAt: 0 } as const;
  await recordIssue(c.env.CALL_METER, id, accountOf(facts));
  return c.text(await signKey(claims, c.env.KEY_SIGNING_SECRET ?? ''));
});
app.get('/plain', (c) => c.text('done'));
app.get('/metered', responseHeaders, metered, (c) => c.text('done'));

export default app;
