import type { Context } from 'hono';
import type { Env } from './env.ts';
import { ApiError } from './errors.ts';

const pageHeaders = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** Names of files whose content never changes, since they contain its hash. */
const HASHED_NAME = /\.(?:[0-9a-f]{12}|[0-9A-Z]{8})\.(?:js|wasm\.gz|onnx\.gz)$/;

/** Files that are there in two encodings, the smaller beside this one, with the end `br`. */
const IN_BROTLI_TOO = /\.(?:wasm|onnx)\.gz$/;

/** Whether a client takes answers in Brotli (RFC 9110, section 12.5.3; RFC 7932). */
const takesBrotli = (accepted: string | undefined): boolean =>
  (accepted ?? '').split(',').some((part) => /^\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(part));

/**
 * A file of the pages, with the headers that all of them have.
 * @param path in dist/assets
 * @param policy the Content-Security-Policy of the page
 * @throws ApiError not_found
 */
export async function pageAsset(c: Context<Env>, path: string, policy: string): Promise<Response> {
  const isInBrotliToo = IN_BROTLI_TOO.test(path);
  const isBrotli = isInBrotliToo && takesBrotli(c.req.header('Accept-Encoding'));
  const address = new URL(isBrotli ? path.replace(/gz$/, 'br') : path, c.req.url);
  // The request's headers go along, so that If-None-Match spares the transfer of an unchanged page.
  const asset = await c.env.ASSETS.fetch(new Request(address, { headers: c.req.raw.headers }));
  if (asset.status !== 200 && asset.status !== 304) {
    await asset.body?.cancel();
    throw new ApiError('not_found', `There is nothing at ${c.req.path.slice(0, 200)}`);
  }
  const { status, headers } = asset;
  const response = new Response(asset.body, { status, headers, ...(isBrotli && { encodeBody: 'manual' }) });
  if (isBrotli) {
    response.headers.set('Content-Type', 'application/octet-stream');
    response.headers.set('Content-Encoding', 'br');
  }
  if (isInBrotliToo) response.headers.append('Vary', 'Accept-Encoding');
  response.headers.set('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(pageHeaders)) response.headers.set(name, value);
  response.headers.set(
    'Cache-Control',
    HASHED_NAME.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  );
  return response;
}
