import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ErrorCode } from '../../ops/responses.ts';
import { toApiError } from '../answers/errors.ts';
import type { Env } from '../env.ts';
import { metrics } from '../metrics.ts';
import { isolateRuntime } from '../runtime.ts';
import { traceIdOf, validTraceparent } from './traceparent.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** The code of an error that is sent with the status 200, as /mcp does. */
    refusal: ErrorCode | undefined;
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Middleware that counts the call when its answer begins: in the isolate's metrics and, if the deployment has
 * Analytics Engine bound, as a data point there. The point has the bytes that calls hold, how many wait, the
 * id of the client's trace, and the time by phase of all calls of the isolate since its last point, because
 * phases end after the answer has begun. Must be outermost, so that it sees the final status.
 */
export const countRequests: MiddlewareHandler<Env> = async (c, next) => {
  const start = Date.now();
  await next();
  const seconds = (Date.now() - start) / 1000;
  const route = routeOf(c);
  const method = METHODS.has(c.req.method) ? c.req.method : 'other';
  const { status } = c.res;
  const code = c.error ? toApiError(c.error).code : c.get('refusal');
  metrics.request(route, method, status, seconds);
  if (code) metrics.refusal(code);
  if (!c.env.ANALYTICS) return;
  const { budget } = isolateRuntime(c.env);
  const phases = metrics.takePhases();
  const traceparent = validTraceparent(c.req.header('traceparent'));
  c.env.ANALYTICS.writeDataPoint({
    indexes: [route],
    blobs: [route, method, String(status), code ?? '', traceparent ? traceIdOf(traceparent) : ''],
    // 15 of the 20 doubles that a data point may have.
    doubles: [
      seconds,
      budget.capacity - budget.freeBytes,
      budget.waiting,
      ...phases.seconds,
      ...phases.times,
    ],
  });
};

/** The pattern that the address matched, never the address itself; `other` where it matched none. */
function routeOf(c: Context<Env>): string {
  return matchedRoutes(c).find(({ path }) => path !== '/*' && path !== '*')?.path ?? 'other';
}
