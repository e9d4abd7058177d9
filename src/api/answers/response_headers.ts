import type { MiddlewareHandler } from 'hono';
import { WINDOW_MS } from '../../metering/plans.ts';
import { secondsUntil } from '../../metering/rolling_window.ts';
import { type RateLimitStatus, rateLimitStatusOf } from '../billing/rate_limit_status.ts';
import type { Env } from '../env.ts';

/**
 * The headers of every response (specification: Limits), and those of
 * draft-ietf-httpapi-ratelimit-headers-10: the policy with its quota `q` and window `w`, and the remaining
 * quota `r` with the seconds `t` until more is available.
 *
 * The window slides, so calls become available again one at a time: `X-RateLimit-Reset` is when one more call
 * than now is possible, rounded up to whole seconds. While the window is empty it is the current time.
 */
export function headersFor(status: RateLimitStatus): Record<string, string> {
  const { plan, limit, remaining, resetAt, now, billable, costCents, capRemaining } = status;
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
    'X-Service-Billable': String(billable),
    'X-Service-Plan': plan,
    'X-Service-Period-Cost-Cents': String(costCents),
    ...(capRemaining !== null && { 'X-Service-Cap-Remaining': String(capRemaining) }),
    'X-Service-Retention': 'none',
    RateLimit: `"${plan}";r=${remaining};t=${secondsUntil(resetAt, now)}`,
    'RateLimit-Policy': `"${plan}";q=${limit};w=${WINDOW_MS / 1000}`,
  };
}

/** Names of all headers that `responseHeaders` sets, e.g. for `Access-Control-Expose-Headers`. */
export const responseHeaderNames: readonly string[] = Object.keys(
  headersFor({
    plan: 'free',
    limit: 0,
    remaining: 0,
    resetAt: 0,
    now: 0,
    billable: false,
    costCents: 0,
    capRemaining: 0,
  }),
);

/**
 * Middleware that sets the headers on every response, errors included. Must be registered before all other
 * middleware that makes responses.
 */
export const responseHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  const headers = headersFor(rateLimitStatusOf(c));
  // The headers of responses from other services, such as static assets, are immutable; a copy's are not.
  c.res = new Response(c.res.body, c.res);
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
};
