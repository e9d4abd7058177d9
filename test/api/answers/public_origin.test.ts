import type { Context } from 'hono';
import { describe, expect, it } from 'vitest';
import { isLocalHost, publicOrigin } from '../../../src/api/answers/public_origin.ts';
import type { Bindings, Env } from '../../../src/api/env.ts';
import { createApp } from '../../../src/app.ts';
import { bindings } from '../billing/counting_app.ts';

const originOf = (url: string, PUBLIC_ORIGIN?: string) =>
  publicOrigin({ req: { url }, env: { PUBLIC_ORIGIN } } as unknown as Context<Env>);

describe('publicOrigin', () => {
  it.each([
    ['https://made.up/', 'https://sanitizer.example', 'https://sanitizer.example'],
    ['https://made.up/', 'https://Sanitizer.example:443/any/path', 'https://sanitizer.example'],
    ['http://localhost:8787/', 'https://sanitizer.example', 'https://sanitizer.example'],
    ['https://made.up/', undefined, ''],
    ['https://made.up/', '', ''],
    ['https://made.up/', 'sanitizer.example', ''],
    ['https://made.up/', 'javascript:alert(1)', ''],
    ['http://localhost:8787/a?b', undefined, 'http://localhost:8787'],
    ['http://127.0.0.1:8787/', undefined, 'http://127.0.0.1:8787'],
    ['http://[::1]:8787/', undefined, 'http://[::1]:8787'],
  ])('of %s, set to %s, is %j', (url, setting, origin) => {
    expect(originOf(url, setting)).toBe(origin);
  });

  it('is not local for names that only look so', () => {
    for (const host of ['localhost.made.up', 'mylocalhost', '127.0.0.1.made.up', '128.0.0.1'])
      expect(isLocalHost(host), host).toBe(false);
    expect(isLocalHost('app.localhost')).toBe(true);
  });
});

describe('Host', () => {
  const { PUBLIC_ORIGIN: _, ...unset } = bindings as Bindings & { PUBLIC_ORIGIN: string };
  const waitUntil = () => {};
  const context = { waitUntil, passThroughOnException: waitUntil, props: {} } as unknown as ExecutionContext;
  const ask = (url: string, env: Bindings) => createApp().request(url, {}, env, context);

  it.each(['/openapi.json', '/llms.txt', '/nowhere'])('is not reflected by %s', async (path) => {
    for (const env of [unset, { ...unset, PUBLIC_ORIGIN: 'https://sanitizer.example' }]) {
      const text = await (await ask(`https://attacker.test${path}`, env)).text();
      expect(text).not.toContain('attacker');
    }
  });

  it('without a setting addresses are relative to the service', async () => {
    const { servers } = (await (await ask('https://any.test/openapi.json', unset)).json()) as {
      servers: { url: string }[];
    };
    expect(servers.map(({ url }) => url)).toEqual(['/']);
    expect(await (await ask('https://any.test/nowhere', unset)).json()).toMatchObject({
      docs: '/docs#not_found',
    });
  });
});
