import type { CallFacts } from '../../../client/index.ts';
import { WINDOW_MS } from '../../vocabulary/vocabulary.ts';

/**
 * How many calls the caller has left, and when the next one is possible according to this machine's clock.
 */
export interface CallsLeft {
  readonly plan: string;
  /** Calls allowed in the rolling window, and how many are left. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in milliseconds from which a call is possible; in the past if one is possible now. */
  readonly nextCallAt: number;
}

/** The status of an anonymous caller before the first response. */
export const initialCallsLeft: CallsLeft = { plan: 'free', limit: 1, remaining: 1, nextCallAt: 0 };

/**
 * The status stated by a response's headers.
 * @param now Unix time in milliseconds
 * @param retryAfter seconds, if the call was refused because of the rate limit
 */
export function callsLeftFrom(facts: CallFacts, now: number, retryAfter?: number): CallsLeft {
  const { limit, remaining, resetAt } = facts.rateLimit;
  const waitMs = retryAfter === undefined ? resetAt.getTime() - now : retryAfter * 1000;
  const isAllowed = remaining > 0 && retryAfter === undefined;
  // No wait is longer than the window, even if this clock and the service's disagree.
  const nextCallAt = isAllowed ? now : now + Math.max(0, Math.min(WINDOW_MS, waitMs));
  return { plan: facts.plan, limit, remaining, nextCallAt };
}

/** Whole seconds until a call is possible; 0 when one is possible now. */
export function secondsUntilNextCall({ nextCallAt }: CallsLeft, now: number): number {
  return Math.max(0, Math.ceil((nextCallAt - now) / 1000));
}
