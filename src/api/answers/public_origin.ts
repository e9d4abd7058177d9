import type { Context } from 'hono';
import type { Bindings, Env } from '../env.ts';

/**
 * The origin used in descriptions and errors. Without `PUBLIC_ORIGIN` addresses are relative: clients choose
 * `Host` freely, and caches may keep the answers. A local origin is spelled out, for people who try the
 * service on their machine.
 * @returns an origin without a trailing slash, or '' for addresses relative to this service
 */
export function publicOrigin(c: Context<Env>): string {
  return configuredOrigin(c.env) ?? localOrigin(c.req.url) ?? '';
}

/** The setting as an origin; undefined if it is not set or is not an `http:` or `https:` address. */
export function configuredOrigin({ PUBLIC_ORIGIN }: Pick<Bindings, 'PUBLIC_ORIGIN'>): string | undefined {
  if (!PUBLIC_ORIGIN || !URL.canParse(PUBLIC_ORIGIN)) return undefined;
  const { protocol, origin } = new URL(PUBLIC_ORIGIN);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

function localOrigin(address: string): string | undefined {
  const { hostname, origin } = new URL(address);
  return isLocalHost(hostname) ? origin : undefined;
}

/**
 * Whether a host is this machine: `localhost` and names under it (RFC 6761 section 6.3), 127.0.0.0/8, ::1.
 * @param hostname as of a URL, i.e. canonical
 */
export function isLocalHost(hostname: string): boolean {
  return (
    /^(?:.+\.)?localhost$/.test(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]'
  );
}
