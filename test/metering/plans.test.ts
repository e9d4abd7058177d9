import { describe, expect, test } from 'vitest';
import { monthAt, periodOf } from '../../src/metering/months.ts';
import { costOf, planNames, plans, planWithCode } from '../../src/metering/plans.ts';

describe('plans', () => {
  test('have the rates and prices of the specification', () => {
    expect(plans.free).toMatchObject({ callsPerWindow: 1, monthlyBillableCap: null });
    expect(plans.pro).toMatchObject({ callsPerWindow: 60, monthlyBillableCap: 100_000 });
    expect(plans.enterprise).toMatchObject({ callsPerWindow: 600, monthlyBillableCap: 1_000_000 });
    expect(costOf('free', 10)).toEqual({ cents: 0, usd: 0 });
    expect(costOf('pro', 1)).toEqual({ cents: 0.4, usd: 0.004 });
    expect(costOf('enterprise', 1)).toEqual({ cents: 0.2, usd: 0.002 });
  });

  test('give costs without rounding errors', () => {
    for (let calls = 0; calls <= 5000; calls++) {
      const { cents, usd } = costOf('pro', calls);
      const mills = String(calls * 4).padStart(4, '0');
      expect(cents.toString()).toBe(String(Number(`${mills.slice(0, -1)}.${mills.slice(-1)}`)));
      expect(usd.toString()).toBe(String(Number(`${mills.slice(0, -3)}.${mills.slice(-3)}`)));
      expect(cents.toString().length).toBeLessThan(8);
    }
  });

  test('are found by their codes', () => {
    expect(planNames.map((name) => planWithCode(plans[name].code))).toEqual(planNames);
    expect(planWithCode(99)).toBeUndefined();
  });
});

describe('months', () => {
  test.each([
    ['2026-01-31T23:59:59.999Z', '2026-01'],
    ['2026-02-01T00:00:00.000Z', '2026-02'],
    ['2026-12-31T23:59:59.999Z', '2026-12'],
    ['1970-01-01T00:00:00.000Z', '1970-01'],
  ])('%s is in %s', (time, period) => {
    expect(periodOf(monthAt(Date.parse(time)))).toBe(period);
  });

  test('are consecutive numbers, across years too', () => {
    expect(monthAt(Date.UTC(2027, 0))).toBe(monthAt(Date.UTC(2026, 11)) + 1);
  });
});
