import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { assetResponse } from './playground.ts';

/**
 * What the API reference may do. Scalar writes style elements, so inline styles are allowed; scripts only
 * from here, and requests only to here. Pictures as data are its icons.
 */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** GET /docs: the API reference, from /openapi.json. */
export async function docsRoute(c: Context<Env>): Promise<Response> {
  return assetResponse(c, '/docs/index.html', referencePolicy);
}

/** GET /docs/*: the scripts of that page. */
export async function docsAssetRoute(c: Context<Env>): Promise<Response> {
  return assetResponse(c, c.req.path, referencePolicy);
}
