import type { MiddlewareHandler } from 'hono';
import { drainBody, MAX_DRAINED_BYTES } from '../body/drain.ts';
import { declaredLength } from '../body/read.ts';
import type { Env } from '../env.ts';

/**
 * Middleware that takes and drops what the handler left of the request's body before the response is sent.
 *
 * A client that still sends when the connection closes sees it reset, often before it has read the response.
 * workerd closes it after a response to a request that was not read to its end, and a body that is cancelled,
 * or read while the response is on its way, loses the response in the proxies of wrangler's development
 * server (a reset, or a bare 500). A body that comes to its end first is safe everywhere. It holds no memory
 * meanwhile but one chunk. Of a body that is declared longer than MAX_DRAINED_BYTES nothing is taken.
 */
export const drainUnreadBody: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  const { body, headers } = c.req.raw;
  if (!body) return;
  const declared = declaredLength(headers.get('Content-Length')) ?? 0;
  if (declared <= MAX_DRAINED_BYTES) await drainBody(body);
};
