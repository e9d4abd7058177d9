import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { isKnownRepresentation } from './entity_tags.ts';
import { ApiError } from './errors.ts';

const pageHeaders = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** Names of files whose content never changes, since they contain its hash. */
const HASHED_NAME = /\.(?:[0-9a-f]{12}|[0-9A-Z]{8})\.(?:js|wasm\.gz|onnx\.gz)$/;

/**
 * A file of the pages, with the headers that all these files share.
 * @param path in dist/assets
 * @param policy the Content-Security-Policy of the page
 * @throws ApiError not_found
 */
export async function pageAsset(c: Context<Env>, path: string, policy: string): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(new Request(new URL(path, c.req.url)));
  if (asset.status !== 200) {
    await asset.body?.cancel();
    throw new ApiError('not_found', `There is nothing at ${c.req.path.slice(0, 200)}`);
  }
  // Checked here, since file servers interpret If-None-Match in different ways.
  const isKnown = isKnownRepresentation(c.req.header('If-None-Match') ?? null, asset.headers.get('ETag'));
  if (isKnown) await asset.body?.cancel();
  const { headers } = asset;
  const response = isKnown ? new Response(null, { status: 304, headers }) : new Response(asset.body, asset);
  if (isKnown) response.headers.delete('Content-Length');
  response.headers.set('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(pageHeaders)) response.headers.set(name, value);
  response.headers.set(
    'Cache-Control',
    HASHED_NAME.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  );
  return response;
}
