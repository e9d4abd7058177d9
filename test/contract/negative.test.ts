import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/api/openapi/document.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { callService } from '../fixtures/service.ts';
import { invalidValues, type RequestSchema } from './invalid.ts';

/**
 * Invalid requests derived from the description. callService checks each response against it, so every 4xx is
 * a documented one.
 */
const document = (await (await callService('/openapi.json')).json()) as OpenApiDocument;
const ajv = new Ajv2020({ strict: false, validateSchema: false });
addFormats(ajv);
ajv.addSchema(document, 'openapi');

const SEED = 20261120;
/**
 * Samples of each kind of invalid value in JSON bodies, and in the other formats, which share the validation.
 */
const RUNS = 2;
const RUNS_IN_OTHER_FORMATS = 1;
const admin = { Authorization: 'Bearer test-admin-token' };
const image = await sampleFile('png', photoPicture(9, 7, 1));

/** A valid body of each operation that has one, with all members, so that each can be made invalid. */
const ops = {
  crop: { x: 1, y: 1, width: 6, height: 5 },
  grayscale: true,
  pixelate: {
    faces: false,
    regions: [{ x: 0, y: 0, w: 3, h: 3 }],
    strength: 3,
    confidence: 0.6,
    padding: 1.5,
    verify: true,
  },
  output: { format: 'png', quality: 92, maxWidth: 20 },
  response: 'json',
};
const base64 = image.toBase64();
const valid: Record<string, unknown> = {
  '/v1/sanitize': { image: base64, ops },
  '/v1/detect': { image: base64, ops: { confidence: 0.6, padding: 1.5 } },
  '/v1/inspect': { image: base64, ops: {} },
  '/v1/keys': { plan: 'pro', monthly_billable_cap: 5 },
  '/mcp': { jsonrpc: '2.0', id: 1, method: 'ping', params: {} },
};

const headersOf = (path: string): Record<string, string> =>
  path === '/mcp' ? { Accept: 'application/json, text/event-stream' } : path === '/v1/keys' ? admin : {};

const post = (path: string, body: BodyInit, type: string, query = '') =>
  callService(path + query, { method: 'POST', headers: { ...headersOf(path), 'Content-Type': type }, body });

const schemaOf = (path: string): RequestSchema => {
  const { requestBody } = document.paths[path]!.post as {
    requestBody: { content: Record<string, { schema: RequestSchema }> };
  };
  return requestBody.content['application/json']!.schema;
};
const follow = (schema: RequestSchema): RequestSchema => {
  if (!schema.$ref) return schema;
  return document.components.schemas[schema.$ref.split('/').at(-1)!] as RequestSchema;
};
const validator = (schema: RequestSchema) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')));

/** Sends a few seeded samples of each kind and expects 4xx; returns how many were sent. */
async function refusals(
  ways: fc.Arbitrary<unknown>[],
  isValid: (value: unknown) => boolean,
  send: (value: unknown) => Promise<Response>,
  numRuns = RUNS,
): Promise<number> {
  let sent = 0;
  const unexpected: string[] = [];
  for (const way of ways) {
    for (const value of fc.sample(way, { seed: SEED, numRuns })) {
      // Values that JSON can't express (-0, undefined) may become valid.
      const asSent = JSON.parse(JSON.stringify(value));
      if (isValid(asSent)) continue;
      const answer = await send(asSent);
      const text = await answer.text();
      if (answer.status < 400 || answer.status > 499)
        unexpected.push(
          `${answer.status} for ${JSON.stringify(asSent).slice(0, 200)}: ${text.slice(0, 200)}`,
        );
      sent++;
    }
  }
  expect(unexpected).toEqual([]);
  return sent;
}

beforeAll(async () => {
  for (const [path, body] of Object.entries(valid))
    expect((await post(path, JSON.stringify(body), 'application/json')).status, path).toBeLessThan(300);
});

test('there is a valid body for every operation that has one', () => {
  const withBody = Object.entries(document.paths).filter(
    ([, item]) => 'requestBody' in ((item.post as object) ?? {}),
  );
  expect(withBody.map(([path]) => path).sort()).toEqual(Object.keys(valid).sort());
});

describe.each(Object.keys(valid))('POST %s', (path) => {
  const schema = schemaOf(path);

  test('refuses JSON that its schema does not allow', { timeout: 120_000 }, async () => {
    const ways = invalidValues(schema, valid[path], follow);
    const sent = await refusals(ways, validator(schema), (value) =>
      post(path, JSON.stringify(value), 'application/json'),
    );
    expect(sent).toBeGreaterThan(ways.length);
  });

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

describe.each(['/v1/sanitize', '/v1/detect'])('POST %s', (path) => {
  const opsSchema = follow(schemaOf(path).properties!.ops!);
  const { ops: validOps } = valid[path] as { ops: object };
  const ways = invalidValues(opsSchema, validOps, follow);

  test('refuses invalid ops in the query', { timeout: 120_000 }, async () => {
    const inQuery = (value: unknown) =>
      post(path, image, 'image/png', `?ops=${encodeURIComponent(JSON.stringify(value))}`);
    await refusals(ways, validator(opsSchema), inQuery, RUNS_IN_OTHER_FORMATS);
  });

  test('refuses invalid ops in a form', { timeout: 120_000 }, async () => {
    const inForm = (value: unknown) => {
      const body = new FormData();
      body.set('image', new File([image], 'photo'));
      body.set('ops', JSON.stringify(value));
      return callService(path, { method: 'POST', body });
    };
    await refusals(ways, validator(opsSchema), inForm, RUNS_IN_OTHER_FORMATS);
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
