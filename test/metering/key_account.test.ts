import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountOf,
  millsOf,
  type PlanChange,
  refusalOf,
  rotated,
  withChange,
  withUse,
} from '../../src/metering/key_account.ts';
import { monthAt } from '../../src/metering/months.ts';

const start = Date.UTC(2026, 10, 1);
const account = accountOf({ plan: 1, cap: 5, issuedAt: start });

describe('a token of a key', () => {
  test('is taken only if it was issued', () => {
    expect(refusalOf(account, start, start)).toBeNull();
    expect(refusalOf(account, start + 1, start + 2)).toBe('unissued');
    expect(refusalOf(account, start - 1, start)).toBe('unissued');
  });

  test('is refused from the moment the key expires', () => {
    const expiring = { ...account, expiresAt: start + 10 };
    expect(refusalOf(expiring, start, start + 9)).toBeNull();
    expect(refusalOf(expiring, start, start + 10)).toBe('expired');
  });

  test('is taken until the end of the overlap after its rotation', () => {
    const once = rotated(account, start + 100, start + 100, start + 200);
    expect(refusalOf(once, start, start + 199)).toBeNull();
    expect(refusalOf(once, start, start + 200)).toBe('replaced');
    expect(refusalOf(once, start + 100, start + 300)).toBeNull();
    expect(refusalOf(once, start + 50, start + 150)).toBe('replaced');
  });

  test('outlives a further rotation only while its successor is unused', () => {
    const once = rotated(account, start + 100, start + 100, start + 200);
    const unused = rotated(once, start + 110, start + 110, start + 210);
    expect(refusalOf(unused, start, start + 150)).toBeNull();
    expect(refusalOf(unused, start + 100, start + 150)).toBe('replaced');
    const used = rotated(withUse(once, start + 100), start + 110, start + 110, start + 210);
    expect(refusalOf(used, start, start + 150)).toBe('replaced');
    expect(refusalOf(used, start + 100, start + 150)).toBeNull();
    const late = rotated(once, start + 250, start + 250, start + 300);
    expect(refusalOf(late, start + 100, start + 260)).toBeNull();
  });

  test('makes no account anew by being used, unless it is the first use of a rotated one', () => {
    expect(withUse(account, start)).toBe(account);
    const once = rotated(account, start + 100, start + 100, start + 200);
    expect(withUse(once, start)).toBe(once);
    const used = withUse(once, start + 100);
    expect(used.newestUsed).toBe(1);
    expect(withUse(used, start + 100)).toBe(used);
  });
});

test('each billable call costs what the plan said when it was counted', () => {
  const day = 86_400_000;
  const price = [0, 4, 2];
  const event = fc.oneof(
    { weight: 5, arbitrary: fc.record({ calls: fc.integer({ min: 0, max: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ plan: fc.constantFrom(1, 2) }) },
    { weight: 1, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 40 }) }) },
  );
  fc.assert(
    fc.property(fc.array(event as fc.Arbitrary<Record<string, number>>, { maxLength: 30 }), (events) => {
      let now = start;
      let plan = 1;
      let changes: PlanChange[] = [];
      const counted: { month: number; price: number }[] = [];
      const inMonth = (month: number) => counted.filter((call) => call.month === month);
      for (const { calls, plan: next, days } of events) {
        if (days !== undefined) now += days * day;
        for (let i = 0; i < (calls ?? 0); i++) counted.push({ month: monthAt(now), price: price[plan]! });
        if (next === undefined || next === plan) continue;
        changes = withChange(changes, plan, inMonth(monthAt(now)).length, now);
        plan = next;
      }
      for (let month = monthAt(now) - 12; month <= monthAt(now); month++) {
        const expected = inMonth(month).reduce((sum, call) => sum + call.price, 0);
        expect(millsOf(changes, plan, month, inMonth(month).length)).toBe(expected);
      }
      expect(changes.every(({ month }) => month > monthAt(now) - 50)).toBe(true);
    }),
    { seed: 20_261_122, numRuns: 500 },
  );
});
