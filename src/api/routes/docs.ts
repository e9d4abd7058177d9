import type { Context } from 'hono';
import { pageAsset } from '../answers/page_assets.ts';
import type { Env } from '../env.ts';

/**
 * What the API reference may load. Scalar writes style elements, so inline styles are allowed; its icons are
 * data URLs. Scripts and requests are of this origin only.
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

/** GET /docs: the API reference, rendered from /openapi.json. */
export function docsRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, '/docs/index.html', referencePolicy);
}

/** GET /docs/*: the scripts of that page. */
export function docsAssetRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, c.req.path, referencePolicy);
}
