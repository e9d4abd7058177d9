import type { Bindings } from '../env.ts';

/** The header in which Cloudflare's network reports the client's address. */
const CLOUDFLARE_HEADER = 'CF-Connecting-IP';

/** The parts of a request that say where it comes from. */
interface Arrival {
  readonly headers: Headers;
  /** Facts that Cloudflare's network attaches outside of the headers, where no client can set them. */
  readonly cf?: unknown;
}

/**
 * The client's address as a trusted proxy reports it.
 *
 * Only the header named by `TRUSTED_PROXY_HEADER` is trusted; `none` trusts no header. If the setting is
 * absent it is `CF-Connecting-IP`, but only if the request came with `request.cf`: clients of a self-hosted
 * workerd can send that header themselves. The development server makes up a `request.cf`, so `npm start`
 * sets `none`.
 *
 * Proxies append to a list such as `X-Forwarded-For`: its last address is the one that the proxy itself saw.
 * @returns '' if nothing can be trusted: all anonymous callers then share one counter
 */
export function clientAddress(
  { headers, cf }: Arrival,
  { TRUSTED_PROXY_HEADER }: Pick<Bindings, 'TRUSTED_PROXY_HEADER'>,
): string {
  const name = TRUSTED_PROXY_HEADER?.trim() || (cf ? CLOUDFLARE_HEADER : 'none');
  if (name === 'none' || !/^[\w-]+$/.test(name)) return '';
  return lastAddress(headers.get(name) ?? '');
}

/** The address that the nearest proxy saw itself: the last one of a list. */
export const lastAddress = (list: string): string => list.split(',').at(-1)?.trim() ?? '';
