import type { CallFacts } from '../../client/index.ts';

/** Where the caller stands, by this machine's own clock. */
export interface Standing {
  readonly plan: string;
  readonly limit: number;
  readonly remaining: number;
  /**
   * Milliseconds of this machine's clock when a call is possible again; in the past when one is possible now.
   */
  readonly openAt: number;
}

/** The rolling window; no wait is longer, whatever the two clocks say. */
export const WINDOW_MS = 60_000;

/** What an anonymous caller has before anything was asked. */
export const unknownStanding: Standing = { plan: 'free', limit: 1, remaining: 1, openAt: 0 };

/** @param retryAfter seconds, when the call was refused */
export function standingFrom(facts: CallFacts, now: number, retryAfter?: number): Standing {
  const { limit, remaining, resetAt } = facts.rateLimit;
  const wait = retryAfter === undefined ? resetAt.getTime() - now : retryAfter * 1000;
  const isOpen = remaining > 0 && retryAfter === undefined;
  const openAt = isOpen ? now : now + Math.max(0, Math.min(WINDOW_MS, wait));
  return { plan: facts.plan, limit, remaining, openAt };
}

/** Whole seconds until a call is possible. */
export function secondsUntilOpen({ openAt }: Standing, now: number): number {
  return Math.max(0, Math.ceil((openAt - now) / 1000));
}
