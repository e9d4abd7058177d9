import type { Context } from 'hono';
import { planOf } from '../../metering/key_account.ts';
import type { CallerUsage } from '../../metering/meter_answers.ts';
import { costOf, moneyOf, type PlanName, plans } from '../../metering/plans.ts';
import type { Env } from '../env.ts';

/** The caller's limit, usage and cost, as the headers of one response report them. */
export interface RateLimitStatus {
  readonly plan: PlanName;
  readonly limit: number;
  readonly remaining: number;
  /** Unix milliseconds: when one more call will be possible, and (`now`) when this was determined. */
  readonly resetAt: number;
  readonly now: number;
  /** Whether the answered call was charged. */
  readonly billable: boolean;
  readonly costCents: number;
  /** Billable calls left until the cap; null while more than a tenth of the cap is left. */
  readonly capRemaining: number | null;
}

/** Callers are told what is left of the cap once it is at most this share of it. */
const CAP_IS_NEAR = 0.1;

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by code that asks the caller's meter while the request is handled. */
    rateLimitStatus: RateLimitStatus | undefined;
  }
}

/**
 * @param plan from the key; the plan of its account takes precedence if the meter returned it
 * @param billable whether the answered call is charged
 */
export function rateLimitStatus(plan: PlanName, usage: CallerUsage, billable: boolean): RateLimitStatus {
  const { limit, remaining, resetAt, now, billableCalls, key } = usage;
  const window = { limit, remaining, resetAt, now, billable };
  if (!key) return { ...window, plan, costCents: costOf(plan, billableCalls).cents, capRemaining: null };
  const left = Math.max(0, key.cap - billableCalls);
  return {
    ...window,
    plan: planOf(key),
    costCents: moneyOf(key.mills).cents,
    capRemaining: left <= key.cap * CAP_IS_NEAR ? left : null,
  };
}

/** The status of a caller of this plan who has made no calls. */
export function unusedRateLimitStatus(plan: PlanName, now: number): RateLimitStatus {
  const limit = plans[plan].callsPerWindow;
  return {
    plan,
    limit,
    remaining: limit,
    resetAt: now,
    now,
    billable: false,
    costCents: 0,
    capRemaining: null,
  };
}

/**
 * The status set while this request was handled. If the caller's meter was not asked, it is that of an unused
 * free plan, whoever calls: texts and files then carry no figures of a key and may be cached publicly.
 */
export function rateLimitStatusOf(c: Context<Env>): RateLimitStatus {
  return c.get('rateLimitStatus') ?? unusedRateLimitStatus('free', Date.now());
}
