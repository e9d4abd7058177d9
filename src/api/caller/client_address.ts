import type { Bindings } from '../env.ts';

/** The header in which Cloudflare's network tells the client's address. */
const CLOUDFLARE_HEADER = 'CF-Connecting-IP';

/** What of a request tells where it comes from. */
interface Arrival {
  readonly headers: Headers;
  /** Facts that Cloudflare's network attaches outside of the headers, so that no client can. */
  readonly cf?: unknown;
}

/**
 * The client's address as a trusted proxy tells it.
 *
 * Trusted is the header that `TRUSTED_PROXY_HEADER` names; `none` trusts nothing. Where it is not set it is
 * `CF-Connecting-IP`, but only if the request came with `request.cf`: clients of a workerd of one's own can
 * send that header themselves. The development server makes up a `request.cf`; `npm start` sets `none`.
 *
 * Proxies append to a list such as `X-Forwarded-For`: its last address is the one that the proxy itself saw.
 * @returns '' where nothing can be trusted: all anonymous callers then share one counter
 */
export function clientAddress(
  { headers, cf }: Arrival,
  { TRUSTED_PROXY_HEADER }: Pick<Bindings, 'TRUSTED_PROXY_HEADER'>,
): string {
  const name = TRUSTED_PROXY_HEADER?.trim() || (cf ? CLOUDFLARE_HEADER : 'none');
  if (name === 'none' || !/^[\w-]+$/.test(name)) return '';
  return headers.get(name)?.split(',').at(-1)?.trim() ?? '';
}
