import { expect, test } from 'vitest';
import type { Bindings } from '../../../src/api/env.ts';
import { createApp } from '../../../src/app.ts';
import { servedContract } from '../../fixtures/service.ts';
import { bindings } from '../billing/counting_app.ts';

const waitUntil = () => {};
const context = { waitUntil, passThroughOnException: waitUntil, props: {} } as unknown as ExecutionContext;
const ask = (path: string, settings: Partial<Bindings>, headers: Record<string, string> = {}) =>
  createApp().request(`https://service.test${path}`, { headers }, { ...bindings, ...settings }, context);

test.each([
  ['TRUSTED_PROXY_HEADER', 'None'],
  ['TRUSTED_PROXY_HEADER', 'X Real IP'],
  ['MEMORY_BUDGET_MB', '12GB'],
  ['PUBLIC_ORIGIN', 'wrong.test'],
  ['ADMIN_TOKEN', 'hunter2'],
  ['KEY_SIGNING_SECRET', 'hunter2'],
  ['CALLER_HASH_SECRET', 'hunter2'],
])('nothing is answered but which setting is wrong: %s=%s', async (name, value) => {
  for (const path of ['/v1/health', '/v1/pricing', '/', '/nowhere']) {
    const answer = await ask(path, { [name]: value });
    expect(answer.status).toBe(500);
    if (path !== '/nowhere')
      expect(await (await servedContract()).faults('GET', path, answer.clone())).toEqual([]);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      error: 'misconfigured',
      message: expect.stringContaining(name),
    });
    expect(text).not.toContain(value);
  }
});

test('settings that can be meant, or are not set, are served', async () => {
  expect((await ask('/v1/health', {})).status).toBe(200);
  const { ADMIN_TOKEN: _a, KEY_SIGNING_SECRET: _k, CALLER_HASH_SECRET: _c, ...unset } = bindings;
  const answer = await createApp().request('https://service.test/v1/health', {}, unset, context);
  expect(answer.status).toBe(200);
});
