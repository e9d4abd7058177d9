import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { ApiError } from '../errors.ts';

/**
 * Everything the page may do: its own script, style and pictures, calls to this service, nothing inline,
 * nothing from elsewhere.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The photo itself and its results are blobs of the page.
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const pageHeaders = {
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** Names of files whose content never changes: they carry its hash. */
const HASHED = /\.[0-9a-f]{12}\.(js|css)$/;

/** GET /: the page to try the service with. */
export async function playgroundRoute(c: Context<Env>): Promise<Response> {
  return assetResponse(c, '/playground/index.html');
}

/** GET /playground/*: the page's script, style and icon. */
export async function playgroundAssetRoute(c: Context<Env>): Promise<Response> {
  return assetResponse(c, c.req.path);
}

/**
 * A file of the pages, with the headers that all of them have.
 * @param path in dist/assets
 * @param policy what the page may do
 * @throws ApiError not_found
 */
export async function assetResponse(
  c: Context<Env>,
  path: string,
  policy: string = contentSecurityPolicy,
): Promise<Response> {
  const wanted = new URL(path, c.req.url);
  // If-None-Match goes along, so that an unchanged page costs no transfer.
  const asset = await c.env.ASSETS.fetch(new Request(wanted, { headers: c.req.raw.headers }));
  if (asset.status !== 200 && asset.status !== 304) {
    await asset.body?.cancel();
    throw new ApiError('not_found', `There is nothing at ${c.req.path.slice(0, 200)}`);
  }
  const response = new Response(asset.body, asset);
  response.headers.set('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(pageHeaders)) response.headers.set(name, value);
  response.headers.set(
    'Cache-Control',
    HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  );
  return response;
}
