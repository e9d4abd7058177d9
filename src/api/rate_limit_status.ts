import type { Context } from 'hono';
import type { UsageSnapshot } from '../metering/meter.ts';
import { costOf, type PlanName, plans } from '../metering/plans.ts';
import type { Env } from './env.ts';

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
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by whoever asked the caller's meter while the request was handled. */
    rateLimitStatus: RateLimitStatus | undefined;
  }
}

/** @param billable whether the call that the response answers is charged */
export function rateLimitStatus(plan: PlanName, usage: UsageSnapshot, billable: boolean): RateLimitStatus {
  const { limit, remaining, resetAt, now, billableCalls } = usage;
  return { plan, limit, remaining, resetAt, now, billable, costCents: costOf(plan, billableCalls).cents };
}

/** The status of a caller of this plan who has made no calls. */
export function unusedRateLimitStatus(plan: PlanName, now: number): RateLimitStatus {
  const limit = plans[plan].callsPerWindow;
  return { plan, limit, remaining: limit, resetAt: now, now, billable: false, costCents: 0 };
}

/**
 * The status that the handling of this request set. Where the caller's meter was not asked: that of an unused
 * free plan, whoever calls, so that texts and files carry no figures of a key and may be cached by anyone.
 */
export function rateLimitStatusOf(c: Context<Env>): RateLimitStatus {
  return c.get('rateLimitStatus') ?? unusedRateLimitStatus('free', Date.now());
}
