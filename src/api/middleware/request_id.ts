import type { MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';
import { validTraceparent } from './traceparent.ts';

/**
 * Middleware that gives every request a new id and sends it with the response. Ids sent by clients are
 * ignored. A client's valid `traceparent` (W3C Trace Context) is returned too.
 */
export const requestId: MiddlewareHandler<Env> = async (c, next) => {
  c.set('requestId', crypto.randomUUID());
  await next();
  c.res.headers.set('X-Request-Id', c.get('requestId'));
  const traceparent = validTraceparent(c.req.header('traceparent'));
  if (traceparent) c.res.headers.set('traceparent', traceparent);
};
