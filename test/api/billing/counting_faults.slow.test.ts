import { evictDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallMeter } from '../../../src/metering/call_meter.ts';
import { SqlJournal } from '../../../src/metering/sql_journal.ts';
import { ask, bindings, issueKey, resetError, restoreWork, work } from './counting_app.ts';

const { CALL_METER } = bindings;
/** Far in the future, so that no alarm goes off during the test. */
const start = Date.UTC(2099, 5, 15, 12);
const WRITES = [
  'putAccount',
  'putCall',
  'deleteCall',
  'putRefund',
  'putMonth',
  'putDay',
  'putTry',
  'deleteTry',
] as const;

/** What fails at one step of a call: its question, or the answer to it, is lost; or a write, in the midst. */
type Fault = 'question' | 'answer' | { readonly write: number };

const fault = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.constantFrom('question' as const, 'answer' as const) },
  { weight: 4, arbitrary: fc.record({ write: fc.nat({ max: 4 }) }) },
);
const call = fc.record({
  end: fc.constantFrom('served', 'served', 'refused', 'failed', 'killed'),
  atAdmission: fault,
  atEnd: fault,
  tryOf: fc.constantFrom(null, null, 1, 2),
  isEvicted: fc.boolean(),
  /** Milliseconds that the clock is set on or back by while the call runs; few, so that no hour passes. */
  clockStep: fc.constantFrom(0, 0, 1000, 61_000, 240_000, -90_000),
});

let now = start;
let pending: Fault | null = null;
/** Whether the isolate has ended, so that no question leaves it. */
let isKilled = false;

/** Asks an object; the pending fault meets the question. */
async function askFaulty<T>(question: () => Promise<T>): Promise<T> {
  if (pending === 'question') throw new Error('unreachable');
  if (pending !== null && pending !== 'answer') failWrites(pending.write);
  try {
    const answer = await question();
    if (pending === 'answer') throw resetError();
    return answer;
  } finally {
    restoreWrites();
  }
}

const faulty = {
  getByName(name: string) {
    const stub = CALL_METER.getByName(name);
    return {
      admit: (...call: Parameters<CallMeter['admit']>) => askFaulty(async () => await stub.admit(...call)),
      giveBack: (...call: Parameters<CallMeter['giveBack']>) =>
        askFaulty(async () => await stub.giveBack(...call)),
      settle: async (id: number) => isKilled || (await askFaulty(async () => await stub.settle(id))),
      usage: async () => await stub.usage(),
    };
  },
};

/** Storage is full from the write of this number on. */
function failWrites(from: number): void {
  let writes = 0;
  for (const name of WRITES) {
    const write = SqlJournal.prototype[name] as (...args: unknown[]) => void;
    vi.spyOn(SqlJournal.prototype, name).mockImplementation(function (this: SqlJournal, ...args: unknown[]) {
      if (writes++ >= from) throw new Error('disk is full');
      write.apply(this, args);
    });
  }
}

function restoreWrites(): void {
  vi.restoreAllMocks();
  // No pauses between attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0);
}

beforeEach(() => {
  now = start;
  vi.useFakeTimers({ toFake: ['Date'], now });
  restoreWrites();
});
afterEach(() => {
  pending = null;
  vi.restoreAllMocks();
  vi.useRealTimers();
  restoreWork();
});

test('a call counts once if it was served, and else not, whatever fails between its steps', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 3, maxLength: 9 }), async (calls) => {
      const { key, key_id } = await issueKey({ plan: 'enterprise' });
      const usage = async () =>
        (await (await ask('/v1/usage', { method: 'GET', key })).json()) as { calls: number };
      /** Calls that were served, and those that may count until their hour is over. */
      const served = new Set<string>();
      let unsettled = 0;
      for (const [index, { end, atAdmission, atEnd, tryOf, isEvicted, clockStep }] of calls.entries()) {
        const status = { served: 200, refused: 422, failed: 500, killed: 200 }[end]!;
        const name = tryOf === null ? `call ${index}` : `key ${tryOf}`;
        work.handler = async () => {
          now += clockStep;
          vi.setSystemTime(now);
          if (isEvicted) await evictDurableObject(CALL_METER.getByName(key_id));
          pending = atEnd;
          isKilled = end === 'killed';
          return new Response('', { status });
        };
        pending = atAdmission;
        const headers = tryOf === null ? {} : { 'Idempotency-Key': name };
        const answer = await ask('/work', { key, headers, bindings: { CALL_METER: faulty } });
        if (answer.status === 503) seen.add('not admitted');
        else if (end === 'killed') unsettled++;
        else if (answer.status === 200) served.add(name);
        isKilled = false;
        pending = null;
        const { calls: counted } = await usage();
        expect(counted).toBeGreaterThanOrEqual(served.size);
        expect(counted).toBeLessThanOrEqual(served.size + unsettled);
        if (atEnd !== null)
          seen.add(`${status === 200 ? end : 'given back'}, ${typeof atEnd === 'string' ? atEnd : 'write'}`);
      }
      now += 2 * 3_600_000;
      vi.setSystemTime(now);
      expect((await usage()).calls).toBe(served.size);
    }),
    { numRuns: 40, seed: 20_261_122 },
  );
  const ends = ['served', 'given back'].flatMap((end) => [`${end}, answer`, `${end}, write`]);
  expect([...seen]).toEqual(expect.arrayContaining(['not admitted', ...ends]));
});
