import fc from 'fast-check';
import { expect } from 'vitest';
import { type CallFailure, emptyMeterState } from '../../src/metering/journal.ts';
import { Meter, type Terms, type UsageSnapshot } from '../../src/metering/meter.ts';
import { dateOf, monthAt, periodOf } from '../../src/metering/months.ts';
import { MemoryJournal } from './memory_journal.ts';
import { ReferenceMeter } from './reference_meter.ts';

const step = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 4, arbitrary: fc.constantFrom(1, 999, 1000, 1001, 59_999, 60_000, 60_001) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(3_599_999, 3_600_000, 82_800_000, 86_399_999, 86_400_000, 31 * 86_400_000),
  },
  { weight: 1, arbitrary: fc.integer({ min: -90_000, max: -1 }) },
);
const pick = fc.nat({ max: 60 });
const failure = fc.constantFrom<CallFailure>('refused', 'server_error', 'aborted');
/** Hash of an idempotency key; few, so that calls are tried again. */
const key = fc.constantFrom(null, null, 7, 8);
const operation = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('admit'), times: fc.constantFrom(1, 1, 1, 5, 12, 12), key }),
  },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('refund'), pick, failure }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('settle'), pick }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('step'), by: step }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('evict') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('fail'), times: fc.constantFrom(1, 2, 12), failure, key }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again'), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('tryForADay'), by: fc.constantFrom(-1, 0, 1, 60_000), key }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('freeTry'), key, failure }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('limit'), limit: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('monthEnd') }) },
);
interface Operation {
  kind: string;
  times?: number;
  pick?: number;
  by?: number;
  limit?: number;
  failure?: CallFailure;
  key?: number | null;
}
const scenario = fc.record({
  limit: fc.constantFrom(1, 2, 3, 6, 30),
  cap: fc.constantFrom(null, 1, 2, 5, 1000),
  start: fc.constantFrom(Date.UTC(2026, 0, 31, 23, 59, 20), Date.UTC(2027, 11, 31, 23, 58, 59, 999), 0),
  operations: fc.array(operation as fc.Arbitrary<Operation>, { maxLength: 40 }),
  revokeAfter: fc.option(fc.nat({ max: 40 }), { freq: 5 }),
});

/** The snapshot in the reference model's form. */
function asInReference({ month, now: _now, ...rest }: UsageSnapshot) {
  return { ...rest, period: periodOf(month) };
}

/** Calls of the current month by day, of days with any. */
function daysOf(meter: Meter, now: number) {
  const days = meter.daysOf(monthAt(now), now).map(({ day, from, to }) => {
    const count = { calls: to.calls - from.calls, billable: to.billable - from.billable };
    return [dateOf(day), count] as const;
  });
  return Object.fromEntries(days.filter(([, { calls }]) => calls !== 0));
}

function firstMsOfNextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/**
 * Drives the meter and the reference meter with the same random histories and compares every answer: calls
 * admitted, served, refused, failed by the service, aborted or never settled, in any order; clock steps both
 * ways, month ends, evictions, a revocation, a changed limit.
 */
export function checkHistories(count: number, seed: number): void {
  const seen = new Set<string>();
  fc.assert(
    fc.property(scenario, ({ limit, cap, start, operations, revokeAfter }) => {
      const journal = new MemoryJournal();
      const reference = new ReferenceMeter();
      let meter = new Meter(emptyMeterState, journal);
      let terms: Terms = { limit, cap };
      let now = start;
      const ids: number[] = [];
      const isFree = new Map<number, boolean>();

      const admit = (key: number | null = null) => {
        const id = ids.length + 1;
        ids.push(id);
        const before = meter.snapshot(terms, now);
        const decision = meter.admit(id, terms, now, key);
        const expected = reference.admit(id, terms, now, key);
        expect({ ...decision, reading: asInReference(decision.reading) }).toEqual(expected);
        isFree.set(id, !decision.billable);
        const isRepeat = decision.outcome === 'admitted' && before.calls === decision.reading.calls;
        if (isRepeat && terms.cap !== null) seen.add(`repeated${decision.billable ? ', charged' : ''}`);
        seen.add(`${decision.outcome}${decision.billable ? ' billable' : ''}`);
        if (decision.outcome === 'rate_limited')
          expectExactWait(journal, terms, now, decision.retryAfterSeconds);
        return id;
      };
      const refund = (id: number, failure: CallFailure) => {
        const before = meter.snapshot(terms, now);
        const tried = journal.findTry(id);
        const charged = meter.refund(id, failure, now);
        expect(charged).toBe(reference.refund(id, failure, now));
        const after = meter.snapshot(terms, now);
        const isOver = tried?.counted && !journal.findTry(id);
        if (isOver && journal.findTries(tried.hash).some(({ counted }) => counted))
          seen.add('another try counted');
        if (charged) seen.add('settled before it failed');
        if (after.calls < before.calls) seen.add(`${failure}, place ${placeKept(before, after)}`);
        if (after.calls < before.calls && isFree.get(id) && after.billableCalls < before.billableCalls)
          seen.add('freedom handed on');
      };

      const settle = (id: number) => {
        meter.settle(id, now);
        reference.settle(id, now);
      };

      operations.forEach((each, index) => {
        const id = ids[(each.pick ?? 0) % Math.max(1, ids.length)] ?? 0;
        if (index === revokeAfter) {
          meter.revoke(now);
          reference.revoke();
        }
        if (each.kind === 'admit') for (let i = 0; i < each.times!; i++) admit(each.key);
        if (each.kind === 'fail')
          for (let i = 0; i < each.times!; i++) refund(admit(each.key), each.failure!);
        if (each.kind === 'tryForADay') {
          // Served at once and an hour before the day is over, then tried once more about its end.
          for (const wait of [82_800_000, 3_600_000 + each.by!]) {
            settle(admit(each.key));
            now += wait;
          }
          admit(each.key);
        }
        if (each.kind === 'freeTry') {
          // The free call fails after a try was charged, which is then free; so is the next try.
          const free = admit();
          admit(each.key);
          refund(free, each.failure!);
          admit(each.key);
        }
        if (each.kind === 'refund') refund(id, each.failure!);
        if (each.kind === 'settle') settle(id);
        const expected = each.kind === 'again' && reference.admitAgain(id, terms, now);
        if (expected) {
          const decision = meter.admit(id, terms, now);
          expect({ ...decision, reading: asInReference(decision.reading) }).toEqual(expected);
          seen.add('admitted again');
        }
        if (each.kind === 'step') now = Math.max(0, now + each.by!);
        if (each.kind === 'monthEnd') now = firstMsOfNextMonth(now) - 1;
        if (each.kind === 'limit') terms = { ...terms, limit: each.limit! };
        if (each.kind === 'evict') {
          // An alarm, and the object anew from what it has stored.
          meter.expireTries(now);
          reference.expireTries(now);
          meter = new Meter(journal.state(), journal);
        }
        expect(asInReference(meter.snapshot(terms, now))).toEqual(reference.snapshot(terms, now));
        // What days say wrongly they go on saying, until the month ends.
        const isLast = index === operations.length - 1;
        if (!isLast && each.kind !== 'evict' && each.kind !== 'monthEnd') return;
        const days = daysOf(meter, now);
        expect(days).toEqual(reference.days(now));
        if (Object.keys(days).length > 1) seen.add('several days');
      });
    }),
    { numRuns: count, seed },
  );
  const outcomes = ['admitted', 'admitted billable', 'rate_limited', 'cap_reached', 'revoked'];
  const failures = [
    'refused, place given back',
    'refused, place kept',
    'aborted, place given back',
    'aborted, place kept',
    'server_error, place given back',
  ];
  const others = [
    'tried_too_often',
    'repeated',
    'repeated, charged',
    'another try counted',
    'admitted again',
    'settled before it failed',
    'freedom handed on',
    'several days',
  ];
  expect([...seen]).toEqual(expect.arrayContaining([...outcomes, ...failures, ...others]));
}

/** After exactly that wait the rate limit admits a call, and a second earlier it does not. */
function expectExactWait(journal: MemoryJournal, terms: Terms, now: number, seconds: number): void {
  const outcomeAfter = (wait: number) =>
    new Meter(journal.state(), new MemoryJournal()).admit(-1, terms, now + 1000 * wait).outcome;
  expect(outcomeAfter(seconds)).not.toBe('rate_limited');
  expect(outcomeAfter(seconds - 1)).toBe('rate_limited');
}

function placeKept(before: UsageSnapshot, after: UsageSnapshot): 'kept' | 'given back' {
  return after.remaining > before.remaining ? 'given back' : 'kept';
}
