import type { MiddlewareHandler } from 'hono';
import { WINDOW_MS } from '../metering/plans.ts';
import { secondsUntil } from '../metering/rolling_window.ts';
import type { Env } from './env.ts';
import { type Standing, standingOf } from './standing.ts';

/**
 * The header set of every response (spec: Limits), and the pair of draft-ietf-httpapi-ratelimit-headers-10:
 * the policy with its quota `q` and window `w`, and the quota left `r` with the seconds `t` until more is
 * available.
 *
 * The window slides, so it resets a place at a time: `X-RateLimit-Reset` is when the next place in use is
 * free again, rounded up to whole seconds; the present where no place is in use.
 */
export function headersFor(standing: Standing): Record<string, string> {
  const { plan, limit, remaining, resetAt, now, billable, costCents } = standing;
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
    'X-Service-Billable': String(billable),
    'X-Service-Plan': plan,
    'X-Service-Period-Cost-Cents': String(costCents),
    'X-Service-Retention': 'none',
    RateLimit: `"${plan}";r=${remaining};t=${secondsUntil(resetAt, now)}`,
    'RateLimit-Policy': `"${plan}";q=${limit};w=${WINDOW_MS / 1000}`,
  };
}

/** Names of all headers that `responseHeaders` sets, e.g. for `Access-Control-Expose-Headers`. */
export const responseHeaderNames: readonly string[] = Object.keys(
  headersFor({ plan: 'free', limit: 0, remaining: 0, resetAt: 0, now: 0, billable: false, costCents: 0 }),
);

/**
 * Puts the headers on whatever response comes out, errors included. Belongs outside all that makes responses.
 */
export const responseHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  const headers = headersFor(await standingOf(c));
  // Responses of other services, such as static assets, have headers that can't be changed; a copy's can.
  c.res = new Response(c.res.body, c.res);
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
};
