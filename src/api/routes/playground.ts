import type { Context } from 'hono';
import style from '../../../dist/page_style.json' with { type: 'json' };
import { pageAsset } from '../answers/page_assets.ts';
import type { Env } from '../env.ts';

/**
 * What the page may load: its own scripts, modules and pictures, and calls to this service. Nothing from
 * other origins, and nothing inline but the style that it was built with.
 */
export const playgroundPolicy = [
  "default-src 'none'",
  // The library's modules are compiled in the page's workers; scripts are never made from text.
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  `style-src '${style.hash}'`,
  // The chosen photo and its results are blobs of the page.
  "img-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The policies there may be name the addresses of the page's workers and of its service worker.
  'trusted-types worker service-worker',
].join('; ');

/** GET /: the page to try the service with. */
export function playgroundRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, '/playground/index.html', playgroundPolicy);
}

/** GET /privacy: what is done with photos, and what is kept. */
export function privacyRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, '/playground/privacy.html', playgroundPolicy);
}

/** GET /playground/*: the page's scripts, modules and icon. */
export function playgroundAssetRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, c.req.path, playgroundPolicy);
}

/** GET /service_worker.js and /manifest.webmanifest: at the root, so that they are for the whole page. */
export function playgroundRootRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, `/playground${c.req.path}`, playgroundPolicy);
}

/**
 * POST /share: where an installed page gets photos from other apps. Its service worker takes them on the
 * device; where there is none, nothing of them is read and the page opens without them.
 */
export function shareRoute(c: Context<Env>): Response {
  return c.redirect('/', 303);
}
