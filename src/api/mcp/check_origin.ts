import { configuredOrigin, isLocalHost } from '../answers/public_origin.ts';
import type { Bindings } from '../env.ts';
import { JsonRpcError } from './json_rpc_error.ts';

/**
 * Refuses calls from pages of other origins, as the Model Context Protocol demands (Transports, security
 * warning): otherwise a page whose name resolves to this machine (DNS rebinding) could use a local server.
 * Programs send no `Origin`.
 *
 * Allowed are `PUBLIC_ORIGIN`, local hosts, and the request's own origin if it is `https:`. Over plain HTTP
 * the own origin proves nothing, since a rebound page has exactly that origin; with TLS it has no
 * certificate.
 * @throws JsonRpcError
 */
export function checkOrigin(request: Request, settings: Pick<Bindings, 'PUBLIC_ORIGIN'>): void {
  const origin = request.headers.get('Origin');
  if (origin === null || origin === configuredOrigin(settings)) return;
  const own = new URL(request.url);
  if (own.protocol === 'https:' && origin === own.origin) return;
  if (URL.canParse(origin) && isLocalHost(new URL(origin).hostname)) return;
  throw new JsonRpcError('refused', 'Pages of this Origin may not call this server.');
}
