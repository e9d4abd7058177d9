import { type ApiError, errorResponse } from '../answers/errors.ts';
import { wantsProblem } from '../answers/problem_details.ts';
import { configuredOrigin } from '../answers/public_origin.ts';
import { headersFor } from '../answers/response_headers.ts';
import { TRANSPORT_SECURITY } from '../answers/security_headers.ts';
import { unusedRateLimitStatus } from '../billing/rate_limit_status.ts';
import { lastAddress } from '../caller/client_address.ts';
import { networkOf } from '../caller/network.ts';
import type { Bindings } from '../env.ts';
import { exposedHeaders } from '../middleware/cors.ts';

// What the front of a self-hosted server (scripts/serve/front) shares with the Worker.
export { ApiError } from '../answers/errors.ts';
export { networkOf } from '../caller/network.ts';

/** The network of a client whose address a trusted proxy reports, '' if the header is missing. */
export const reportedNetwork = (header: string | undefined): string => networkOf(lastAddress(header ?? ''));

/**
 * The answer to a request that does not reach the Worker, with all headers that the Worker's answers have.
 * @param accept the request's header, if it could be read
 */
export function refusedResponse(
  error: ApiError,
  settings: Pick<Bindings, 'PUBLIC_ORIGIN'>,
  accept?: string,
): Response {
  const origin = configuredOrigin(settings) ?? '';
  const id = crypto.randomUUID();
  const response = errorResponse(error, id, `${origin}/docs#${error.code}`, wantsProblem(accept));
  const headers = {
    ...headersFor(unusedRateLimitStatus('free', Date.now())),
    'X-Request-Id': id,
    'X-Content-Type-Options': 'nosniff',
    ...(origin.startsWith('https:') && { 'Strict-Transport-Security': TRANSPORT_SECURITY }),
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposedHeaders.join(','),
  };
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
