import type { MiddlewareHandler } from 'hono';
import type { Env } from './env.ts';

/**
 * Gives every request an id of its own, sent back on whatever response comes out. Never one that the client
 * chose.
 */
export const requestId: MiddlewareHandler<Env> = async (c, next) => {
  c.set('requestId', crypto.randomUUID());
  await next();
  c.res.headers.set('X-Request-Id', c.get('requestId'));
};
