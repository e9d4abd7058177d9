import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import type { CallMeter } from '../../src/metering/call_meter.ts';
import type { CallFailure } from '../../src/metering/journal.ts';
import { accountOf } from '../../src/metering/key_account.ts';
import { dateOf, monthAt } from '../../src/metering/months.ts';
import { keyPlanNames, plans } from '../../src/metering/plans.ts';
import { ReferenceAccount } from './reference_account.ts';
import { ReferenceMeter } from './reference_meter.ts';

const { CALL_METER } = env as { CALL_METER: DurableObjectNamespace<CallMeter> };

const pick = fc.nat({ max: 40 });
const plan = fc.constantFrom(...keyPlanNames).map((name) => plans[name].code);
const change = fc.record(
  {
    plan,
    cap: fc.constantFrom(0, 1, 3, 1000),
    label: fc.option(fc.nat()),
    /** Milliseconds from now; null for no expiry. */
    expiresIn: fc.option(fc.constantFrom(-1, 0, 1, 90_000, 90_000), { freq: 3 }),
  },
  { requiredKeys: [] },
);
const operation = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('admit' as const), token: pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      pick,
      failure: fc.constantFrom<CallFailure>('refused', 'server_error', 'aborted'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), change }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('rotate' as const),
      overlap: fc.constantFrom(0, 30_000, 86_400_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeatRotation' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('evict' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      by: fc.constantFrom(1, 999, 20_000, 60_000, 3_600_000, 86_400_000, 20 * 86_400_000, -50_000),
    }),
  },
);
const scenario = fc.record({
  plan,
  cap: fc.constantFrom(1, 4, 1000),
  operations: fc.array(operation, { minLength: 5, maxLength: 30 }),
  revokeAfter: fc.option(fc.nat({ max: 30 }), { freq: 6 }),
});

let objects = 0;

/**
 * Drives the counting object itself, with its storage and evictions, through random histories of a key:
 * calls with any of its tokens and a forged one, changes of its account, rotations, clock steps, a
 * revocation. Every answer is compared with the rules as `ReferenceAccount` and `ReferenceMeter` have them.
 */
export async function checkAccounts(count: number, seed: number): Promise<void> {
  const seen = new Set<string>();
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ plan, cap, operations, revokeAfter }) => {
        // Far in the future, so that no alarm goes off meanwhile.
        let now = Date.UTC(2099, 0, 31, 23, 59, 0);
        vi.setSystemTime(now);
        const stub = CALL_METER.getByName(`account ${++objects}`);
        const issued = accountOf({ plan, cap, issuedAt: now - 1000 });
        const account = new ReferenceAccount(issued);
        const meter = new ReferenceMeter();
        const ids: number[] = [];
        const idOf = (pick: number) => ids[pick % Math.max(1, ids.length)] ?? 0;

        const admit = async (token: number) => {
          const id = ids.length + 1;
          const facts = { plan, cap, issuedAt: account.tokenTime(token) };
          const decision = await stub.admit(id, account.terms, facts, { issued });
          const refusal = account.refusalOf(facts.issuedAt, now);
          if (refusal && !meter.isRevoked) {
            expect(decision).toMatchObject({ outcome: refusal, billable: false });
            seen.add(refusal);
            return;
          }
          const expected = meter.admit(id, account.terms, now);
          const { outcome, billable, retryAfterSeconds } = expected;
          expect(decision).toMatchObject({ outcome, billable, retryAfterSeconds });
          if (outcome !== 'admitted') return;
          ids.push(id);
          account.used(facts.issuedAt);
          if (billable) account.charged(monthAt(now));
          seen.add(`${account.isNewest(facts.issuedAt) ? 'newest' : 'older'} token`);
        };
        const expectUsage = async () => {
          const { calls, billableCalls, revoked } = meter.snapshot(account.terms, now);
          const usage = await stub.usage(issued, monthAt(now));
          expect(usage).toMatchObject({ ...account.told, current: { calls, billable: billableCalls } });
          expect(usage!.revokedAt !== null).toBe(revoked);
          const days = usage!.days!.map(({ day, count }) => [dateOf(day), count]);
          expect(Object.fromEntries(days)).toEqual(meter.days(now));
          const mills = usage!.days!.reduce((sum, day) => sum + day.mills, 0);
          expect(mills).toBe(usage!.mills);
          const { least, most } = account.millsOf(monthAt(now), billableCalls);
          expect(mills).toBeGreaterThanOrEqual(least);
          expect(mills).toBeLessThanOrEqual(most);
          if (least === most && new Set(account.planCodes).size > 1 && most > 0) seen.add('exact cost');
        };

        for (const [index, each] of operations.entries()) {
          if (index === revokeAfter) {
            await stub.revoke();
            meter.revoke();
          }
          if (each.kind === 'admit') await admit(each.token);
          if (each.kind === 'settle') {
            await stub.settle(idOf(each.pick));
            meter.settle(idOf(each.pick), now);
          }
          if (each.kind === 'refund') {
            const { billable } = await stub.giveBack(idOf(each.pick), account.terms, each.failure);
            const before = meter.snapshot(account.terms, now).billableCalls;
            expect(billable).toBe(meter.refund(idOf(each.pick), each.failure, now));
            if (meter.snapshot(account.terms, now).billableCalls < before) account.uncharged();
          }
          if (each.kind === 'change') {
            const { expiresIn, ...rest } = each.change;
            const expiresAt = expiresIn === null ? null : now + (expiresIn ?? 0);
            const change = { ...rest, ...(expiresIn !== undefined && { expiresAt }) };
            account.change(change);
            expect(await stub.change(change, issued)).toMatchObject(account.told);
          }
          if (each.kind === 'rotate' || each.kind === 'repeatRotation') {
            const isRepeat = each.kind === 'repeatRotation';
            const at = isRepeat ? account.told.newestIssuedAt : account.nextTokenTime(now);
            const overlap = isRepeat ? 5000 : each.overlap;
            const rotated = await stub.rotate(at, overlap, issued);
            if (meter.isRevoked) expect(rotated).toBeNull();
            else {
              if (!isRepeat) seen.add(account.rotate(at, now, now + overlap));
              expect(rotated).toMatchObject(account.told);
            }
          }
          if (each.kind === 'evict') {
            // Only an object that runs can be evicted.
            await stub.tick();
            await evictDurableObject(stub);
          }
          if (each.kind === 'step') {
            // A plan that was changed in a month that has not begun after all holds from then on.
            const isMonthUndone = monthAt(now + each.by) < monthAt(now);
            now += each.by;
            vi.setSystemTime(now);
            if (meter.lapsesAt(now) || isMonthUndone) account.uncharged();
          }
          if (each.kind !== 'admit' || index === operations.length - 1) await expectUsage();
        }
      }),
      { numRuns: count, seed },
    );
  } finally {
    vi.useRealTimers();
  }
  const all = ['newest token', 'older token', 'unissued', 'expired', 'replaced', 'exact cost'];
  expect([...seen]).toEqual(
    expect.arrayContaining([...all, 'replaces the newest', 'replaces an unused one']),
  );
}
