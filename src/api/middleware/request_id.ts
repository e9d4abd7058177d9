import type { MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';

/**
 * Middleware that gives every request a new id and sends it with the response. Ids of clients are ignored.
 */
export const requestId: MiddlewareHandler<Env> = async (c, next) => {
  c.set('requestId', crypto.randomUUID());
  await next();
  c.res.headers.set('X-Request-Id', c.get('requestId'));
};
