import type { Context } from 'hono';
import style from '../../../dist/page_style.json' with { type: 'json' };
import { pageAsset } from '../answers/page_assets.ts';
import type { Env } from '../env.ts';

/**
 * What the page may load: its own scripts, modules and pictures, and answers of this service. Nothing from
 * other origins, and nothing inline except the style it was built with.
 */
export const playgroundPolicy = [
  "default-src 'none'",
  // The library's modules are compiled in the page's workers; scripts are never created from text.
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
  // Trusted Types policies may only name the addresses of the page's workers and of its service worker.
  'trusted-types worker service-worker',
].join('; ');

/** GET /: the page to try the service with. */
export function playgroundRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, '/playground/index.html', playgroundPolicy);
}

/** GET /privacy: how photos are processed, and what is kept. */
export function privacyRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, '/playground/privacy.html', playgroundPolicy);
}

/** GET /playground/*: the page's scripts, modules and icon. */
export function playgroundAssetRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, c.req.path, playgroundPolicy);
}

/** GET /service_worker.js and /manifest.webmanifest: at the root, so that their scope is the whole page. */
export function playgroundRootRoute(c: Context<Env>): Promise<Response> {
  return pageAsset(c, `/playground${c.req.path}`, playgroundPolicy);
}

/**
 * POST /share: receives photos that other apps share with the installed page. Its service worker handles them
 * on the device; without one, the body is not read and the page opens without the photos.
 */
export function shareRoute(c: Context<Env>): Response {
  return c.redirect('/', 303);
}
