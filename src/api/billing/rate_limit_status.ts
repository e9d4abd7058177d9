import type { Context } from 'hono';
import { planOf } from '../../metering/key_account.ts';
import type { CallerUsage } from '../../metering/meter_answers.ts';
import { costOf, moneyOf, type PlanName, plans } from '../../metering/plans.ts';
import type { Env } from '../env.ts';

/** The caller's limit, use and cost as the headers of one response tell them. */
export interface RateLimitStatus {
  readonly plan: PlanName;
  readonly limit: number;
  readonly remaining: number;
  /** Unix milliseconds when one more call will be possible, and the moment this was determined. */
  readonly resetAt: number;
  readonly now: number;
  /** Whether the call that the response answers was charged. */
  readonly billable: boolean;
  readonly costCents: number;
  /** Billable calls left until the cap, once a tenth of it or less; null before that. */
  readonly capRemaining: number | null;
}

/** The part of the cap from which on what is left of it is told. */
const CAP_IS_NEAR = 0.1;

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by whoever asked the caller's meter while the request was handled. */
    rateLimitStatus: RateLimitStatus | undefined;
  }
}

/**
 * @param plan as the key says it; that of its account counts, where the meter tells it
 * @param billable whether the call that the response answers is charged
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
 * The status that the handling of this request set. Where the caller's meter was not asked: that of an unused
 * free plan, whoever calls, so that texts and files carry no figures of a key and may be cached by anyone.
 */
export function rateLimitStatusOf(c: Context<Env>): RateLimitStatus {
  return c.get('rateLimitStatus') ?? unusedRateLimitStatus('free', Date.now());
}
