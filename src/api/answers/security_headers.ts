import type { Context, MiddlewareHandler } from 'hono';
import type { Env } from '../env.ts';
import { configuredOrigin, isLocalHost } from './public_origin.ts';

/** A year, in seconds. Without includeSubDomains, since subdomains may be other deployments. */
export const TRANSPORT_SECURITY = 'max-age=31536000';

/**
 * Middleware that sets, on every response, `X-Content-Type-Options: nosniff`, and behind TLS
 * `Strict-Transport-Security` (RFC 6797 section 7.2: never over plain HTTP).
 */
export const securityHeaders: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  c.res.headers.set('X-Content-Type-Options', 'nosniff');
  if (isBehindTls(c)) c.res.headers.set('Strict-Transport-Security', TRANSPORT_SECURITY);
};

/** A proxy that ends TLS forwards plain HTTP; `PUBLIC_ORIGIN` then says what clients use. */
function isBehindTls(c: Context<Env>): boolean {
  const { protocol, hostname } = new URL(c.req.url);
  if (isLocalHost(hostname)) return false;
  return protocol === 'https:' || (configuredOrigin(c.env)?.startsWith('https:') ?? false);
}
