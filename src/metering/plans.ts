import { type PlanName, planNames, WINDOW_MS } from '../vocabulary/vocabulary.ts';

export { type PlanName, planNames, WINDOW_MS };

/**
 * A row of the table of plans (specification: Limits). Pricing, rate limits, billing and headers all derive
 * from the table; a price or a rate changes here and nowhere else.
 */
export interface Plan {
  /** Number that a key's Durable Object stores for the plan; never reused for another plan. */
  readonly code: number;
  /** Calls admitted in any rolling window of `WINDOW_MS`. */
  readonly callsPerWindow: number;
  /**
   * Thousandths of a US dollar (mills) per billable call; whole, so that sums of money are exact. `null`: no
   * call is ever billed, calls beyond the free one are refused.
   */
  readonly millsPerBillableCall: number | null;
  /** Billable calls a UTC month, unless the key carries its own cap; `null` if nothing is billed. */
  readonly monthlyBillableCap: number | null;
}

/** Calls per window that cost nothing, on every plan (specification: Billing rule 1). */
export const FREE_CALLS_PER_WINDOW = 1;

export const plans = {
  free: { code: 0, callsPerWindow: 1, millsPerBillableCall: null, monthlyBillableCap: null },
  pro: { code: 1, callsPerWindow: 60, millsPerBillableCall: 4, monthlyBillableCap: 100_000 },
  enterprise: { code: 2, callsPerWindow: 600, millsPerBillableCall: 2, monthlyBillableCap: 1_000_000 },
} as const satisfies Readonly<Record<PlanName, Plan>>;

/** Plans that a key can be issued for; `free` is what callers without a key are on. */
export const keyPlanNames = ['pro', 'enterprise'] as const satisfies readonly PlanName[];

/** @returns the plan with this code, or undefined where the table has none */
export function planWithCode(code: number): PlanName | undefined {
  return planNames.find((name) => plans[name].code === code);
}

/**
 * What a number of billable calls costs, in US cents and dollars. Multiplies whole mills, so that the results
 * are the doubles nearest to the true amounts (`1.2`, never `1.2000000000000002`).
 */
export function costOf(plan: PlanName, billableCalls: number): { cents: number; usd: number } {
  return moneyOf(billableCalls * (plans[plan].millsPerBillableCall ?? 0));
}

/** @param mills thousandths of a US dollar */
export function moneyOf(mills: number): { cents: number; usd: number } {
  return { cents: mills / 10, usd: mills / 1000 };
}
