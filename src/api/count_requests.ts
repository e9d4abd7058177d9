import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Env } from './env.ts';
import { toApiError } from './errors.ts';
import { metrics } from './metrics.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Middleware that counts the call when its answer begins: in the isolate's metrics, and as a point of
 * Analytics Engine where the deployment has one bound. Outermost, so that it sees the final status.
 */
export const countRequests: MiddlewareHandler<Env> = async (c, next) => {
  const start = Date.now();
  await next();
  const seconds = (Date.now() - start) / 1000;
  const route = routeOf(c);
  const method = METHODS.has(c.req.method) ? c.req.method : 'other';
  const { status } = c.res;
  const code = c.error && toApiError(c.error).code;
  metrics.request(route, method, status, seconds);
  if (code) metrics.refusal(code);
  c.env.ANALYTICS?.writeDataPoint({
    indexes: [route],
    blobs: [route, method, String(status), code ?? ''],
    doubles: [seconds],
  });
};

/** The pattern that the address matched, never the address itself; `other` where it matched none. */
function routeOf(c: Context<Env>): string {
  return matchedRoutes(c).find(({ path }) => path !== '/*' && path !== '*')?.path ?? 'other';
}
