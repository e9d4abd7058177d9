import { expect, test } from 'vitest';
import { checkOrigin } from '../../../src/api/mcp/check_origin.ts';

const isTaken = (url: string, origin: string | undefined, PUBLIC_ORIGIN?: string) => {
  const headers = origin === undefined ? {} : { Origin: origin };
  const settings = PUBLIC_ORIGIN === undefined ? {} : { PUBLIC_ORIGIN };
  try {
    checkOrigin(new Request(url, { headers }), settings);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ status: 403, code: -32000 });
    return false;
  }
};

test.each([
  ['none', 'http://a.test/mcp', undefined, undefined],
  ['the own one over TLS', 'https://a.test/mcp', 'https://a.test', undefined],
  ['the public one', 'http://10.0.0.1:8787/mcp', 'https://a.test', 'https://a.test'],
  ['a local one', 'http://localhost:8787/mcp', 'http://localhost:6274', undefined],
  ['a local address', 'http://localhost:8787/mcp', 'http://127.0.0.1:3000', undefined],
])('an Origin is taken: %s', (_, url, origin, setting) => {
  expect(isTaken(url, origin, setting)).toBe(true);
});

test.each([
  ['another one', 'https://a.test/mcp', 'https://b.test', 'https://a.test'],
  [
    'a name that was made to resolve to this machine',
    'http://evil.test:8787/mcp',
    'http://evil.test:8787',
    '',
  ],
  ['null', 'https://a.test/mcp', 'null', undefined],
  ['none that can be read', 'https://a.test/mcp', 'a.test', 'https://a.test'],
  ['another port', 'https://a.test/mcp', 'https://a.test:444', undefined],
  ['a name that looks local', 'http://localhost:8787/mcp', 'http://localhost.evil.test', undefined],
])('an Origin is refused: %s', (_, url, origin, setting) => {
  expect(isTaken(url, origin, setting)).toBe(false);
});
