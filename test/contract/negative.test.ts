import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { callService } from '../fixtures/service.ts';
import { admin, document, post, SEED, valid } from './negative_requests.ts';
import { refusesWrongJson } from './negative_suite.ts';

beforeAll(async () => {
  for (const [path, body] of Object.entries(valid))
    expect((await post(path, JSON.stringify(body), 'application/json')).status, path).toBeLessThan(300);
});

test('there is a valid body for every operation that has one', () => {
  const withBody = Object.entries(document.paths).filter(
    ([, item]) => 'requestBody' in ((item.post as object) ?? {}),
  );
  const told = 'an operation with a body has a valid one in test/contract/negative_requests.ts';
  expect(withBody.map(([path]) => path).sort(), told).toEqual(Object.keys(valid).sort());
});

refusesWrongJson(1);

describe.each(Object.keys(valid))('POST %s', (path) => {
  test('refuses other content types, broken JSON and empty bodies', async () => {
    const body = JSON.stringify(valid[path]);
    const statuses: number[] = [];
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'a', '*/*'])
      statuses.push((await post(path, body, type)).status);
    for (const broken of [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"image":',
      '\ufeff',
      body.slice(0, -1),
      `${body}}`,
    ])
      statuses.push((await post(path, broken, 'application/json')).status);
    for (const bytes of [new Uint8Array([0xff, 0xfe, 0]), new Uint8Array(3)])
      statuses.push((await post(path, bytes, 'application/json')).status);
    expect(statuses.filter((status) => status < 400 || status > 499)).toEqual([]);
  });
});

describe('all other operations', () => {
  test('refuse invalid key ids', async () => {
    const ids = fc.sample(fc.string({ minLength: 1, maxLength: 40 }), { seed: SEED, numRuns: 20 });
    for (const id of [...ids, `key_${'g'.repeat(24)}`, 'key_', `key_${'0'.repeat(25)}`]) {
      for (const method of ['GET', 'DELETE']) {
        const answer = await callService(`/v1/keys/${encodeURIComponent(id)}`, { method, headers: admin });
        expect([404, 405], `${method} ${id}`).toContain(answer.status);
      }
    }
  });

  test('refuse invalid credentials', async () => {
    const texts = fc.sample(fc.string({ maxLength: 60, unit: 'binary-ascii' }), { seed: SEED, numRuns: 30 });
    const tokens = texts.map((text) => text.replace(/[^\x20-\x7e]/g, 'x'));
    for (const token of [...tokens, 'isk_a_b', 'x'.repeat(2000)]) {
      for (const [method, path] of [
        ['GET', '/v1/usage'],
        ['POST', '/v1/keys'],
        ['POST', '/v1/inspect'],
        ['POST', '/mcp'],
      ] as const) {
        const answer = await callService(path, { method, headers: { Authorization: `Bearer ${token}` } });
        expect(answer.status, `${path} ${token}`).toBe(401);
      }
    }
  });

  test('refuse methods that are not described', async () => {
    for (const [template, item] of Object.entries(document.paths)) {
      const path = template.replace(/\{\w+\}/, 'x');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (method.toLowerCase() in item) continue;
        const answer = await callService(path, { method });
        expect(answer.status, `${method} ${path}`).toBe(405);
      }
    }
  });
});
