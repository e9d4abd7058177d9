import { expect, it } from 'vitest';
import { handlingOf } from '../../../src/playground/offline/requests.ts';

const ORIGIN = 'https://sanitizer.example';

it.each([
  ['GET', '/', 'navigate', 'document'],
  ['GET', '/?shared=1', 'navigate', 'document'],
  ['GET', '/privacy', 'navigate', 'file'],
  ['GET', '/playground/page.0123456789ab.js', 'cors', 'file'],
  ['GET', '/playground/core.0123456789ab.wasm.gz', 'cors', 'file'],
  ['POST', '/share', 'navigate', 'share'],
  // The service, the reference and all that is written.
  ['GET', '/', 'cors', undefined],
  ['HEAD', '/', 'navigate', undefined],
  ['GET', '/share', 'navigate', undefined],
  ['POST', '/playground/page.js', 'cors', undefined],
  ['POST', '/v1/sanitize', 'cors', undefined],
  ['GET', '/v1/usage', 'cors', undefined],
  ['GET', '/docs', 'navigate', undefined],
  ['GET', '/openapi.json', 'cors', undefined],
  ['POST', '/mcp', 'cors', undefined],
])('%s %s (%s): %s', (method, path, mode, expected) => {
  expect(handlingOf({ method, url: ORIGIN + path, mode }, ORIGIN)).toBe(expected);
  expect(handlingOf({ method, url: `https://other.example${path}`, mode }, ORIGIN)).toBeUndefined();
});
