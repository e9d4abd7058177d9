import type { MiddlewareHandler } from 'hono';
import { drainBody, MAX_DRAINED_BYTES } from '../body/drain.ts';
import { declaredLength } from '../body/read.ts';
import type { Env } from '../env.ts';

/**
 * Middleware that reads and drops what the handler left of the request's body, before the response is sent.
 *
 * A client that is still sending when the connection closes gets a reset, often before it has read the
 * response. workerd closes the connection after a response to a request that was not read to its end. If a
 * body is cancelled, or read while the response is being sent, the proxies of wrangler's development server
 * lose the response (a reset, or a bare 500). Reading the body to its end first is safe everywhere. It holds
 * only one chunk in memory. A body declared longer than MAX_DRAINED_BYTES is not read at all.
 */
export const drainUnreadBody: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  const { body, headers } = c.req.raw;
  if (!body) return;
  const declared = declaredLength(headers.get('Content-Length')) ?? 0;
  if (declared <= MAX_DRAINED_BYTES) await drainBody(body);
};
