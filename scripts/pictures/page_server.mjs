import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Serves only the built page, without the service: on a device it needs nothing else. Texts are compressed,
 * as by a platform or proxy.
 * @returns its origin, and a function to stop it
 */
export async function servePage() {
  const server = createServer(async ({ url = '/' }, answer) => {
    const { pathname } = new URL(url, 'http://localhost');
    const atRoot = ['/service_worker.js', '/manifest.webmanifest'].includes(pathname);
    const path =
      pathname === '/'
        ? '/playground/index.html'
        : pathname === '/privacy'
          ? '/playground/privacy.html'
          : atRoot
            ? `/playground${pathname}`
            : pathname;
    try {
      const contents = await readFile(join('dist/assets', normalize(path)));
      const type = TYPES[extname(path)];
      const isText = type !== undefined && type !== 'image/png';
      answer.writeHead(200, {
        'Content-Type': type ?? 'application/octet-stream',
        'Cache-Control': /\.(?:[0-9a-f]{12}|[0-9A-Z]{8})\./.test(path)
          ? 'max-age=31536000, immutable'
          : 'no-cache',
        ...(isText && { 'Content-Encoding': 'gzip' }),
      });
      answer.end(isText ? gzipSync(contents) : contents);
    } catch {
      answer.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
