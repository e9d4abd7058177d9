import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { errorTable } from '../../src/api/errors.ts';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { createApp } from '../../src/app.ts';
import { errorCodes } from '../../src/ops/responses.ts';
import { callService } from '../fixtures/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is walked here by paths that its type does not know
type Any = any;

const document: Any = openApiDocument('https://service.test');
const methods = ['get', 'post', 'put', 'patch', 'delete'];
const operations: [string, Any, string][] = Object.entries(document.paths).flatMap(([path, item]) =>
  methods
    .filter((method) => method in (item as Any))
    .map((method): [string, Any, string] => [`${method.toUpperCase()} ${path}`, (item as Any)[method], path]),
);
const followed = (value: Any): Any =>
  value.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((at: Any, part: string) => at[part], document)
    : value;

test('it is served as it is built, for the address it was asked at', async () => {
  expect(await (await callService('/openapi.json')).json()).toEqual(JSON.parse(JSON.stringify(document)));
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.info.version).toBe('1.0.0');
});

test('every route is described, and everything described is a route', () => {
  const routes = createApp()
    .routes.filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{file}')}`);
  expect(operations.map(([name]) => name).sort()).toEqual([...new Set(routes)].sort());
});

test('operation ids are unique, every tag is described, every operation says who may call', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }: Any) => name);
  for (const [name, { tags: own, security }] of operations) {
    expect(tags, name).toEqual(expect.arrayContaining(own));
    expect(Array.isArray(security), name).toBe(true);
  }
  const security = Object.fromEntries(operations.map(([name, operation]) => [name, operation.security]));
  for (const path of ['/v1/sanitize', '/v1/detect', '/v1/inspect'])
    expect(security[`POST ${path}`]).toEqual([{}, { apiKey: [] }]);
  expect(security['GET /v1/usage']).toEqual([{ apiKey: [] }]);
  expect(security['POST /v1/keys']).toEqual([{ adminToken: [] }]);
});

describe('errors', () => {
  test('every code has an example at its status, and is explained', () => {
    for (const code of errorCodes) {
      const { status } = errorTable[code];
      const answers = operations.map(([, { responses }]) => responses[status]).filter(Boolean);
      expect(answers.length, code).toBeGreaterThan(0);
      const example = followed(answers[0]).content['application/json'].examples[code];
      expect(example.value.error).toBe(code);
      expect(document.info.description).toContain(`### ${code}\n`);
    }
  });

  test.each([
    ['POST /v1/sanitize', [400, 401, 402, 405, 413, 415, 422, 429, 500, 503]],
    ['POST /v1/detect', [400, 401, 402, 405, 413, 415, 422, 429, 500, 503]],
    ['GET /v1/usage', [401, 405, 500, 503]],
    ['GET /v1/keys/{key_id}', [401, 404, 405, 500, 503]],
  ])('%s has %j', (name, statuses) => {
    const [, { responses }] = operations.find(([at]) => at === name)!;
    expect(
      Object.keys(responses)
        .map(Number)
        .filter((status) => status >= 400),
    ).toEqual(statuses);
  });
});

test('every response has the headers of every response', () => {
  const everywhere = Object.keys(followed(document.paths['/v1/pricing'].get.responses[200]).headers);
  expect(everywhere).toEqual(
    expect.arrayContaining(['X-RateLimit-Limit', 'X-Service-Retention', 'RateLimit']),
  );
  for (const [name, { responses }] of operations) {
    for (const [status, response] of Object.entries(responses))
      expect(Object.keys(followed(response).headers), `${name} ${status}`).toEqual(
        expect.arrayContaining(everywhere),
      );
  }
});

test('images go in by three forms, and the limits are constraints', () => {
  for (const path of ['/v1/sanitize', '/v1/detect', '/v1/inspect']) {
    const { content } = document.paths[path].post.requestBody;
    expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data', 'image/*']);
    expect(content['image/*'].schema.maxLength).toBe(25 * 1024 * 1024);
  }
  const { properties } = document.components.schemas.SanitizeOps;
  expect(properties.pixelate.properties).toMatchObject({
    regions: { maxItems: 200 },
    strength: { type: 'integer', minimum: 1, maximum: 12, default: 3 },
    confidence: { minimum: 0.05, maximum: 0.99, default: 0.6 },
    padding: { minimum: 1, maximum: 3, default: 1.5 },
  });
  expect(properties.output.properties).toMatchObject({
    format: { enum: ['jpeg', 'png', 'webp'], default: 'jpeg' },
    quality: { minimum: 30, maximum: 100, default: 92 },
    maxWidth: { minimum: 16, maximum: 12000 },
  });
  expect(document.components.schemas.Region.required).toEqual(['x', 'y', 'w', 'h']);
});

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'openapi');
  const absolute = (schema: Any): Any =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));

  /** Every media type, header and parameter with an example or several: where, schema, value. */
  function* examples(value: Any, at: string): Generator<[string, Any, Any]> {
    if (value === null || typeof value !== 'object') return;
    if (value.schema && value.examples) {
      for (const [name, example] of Object.entries(value.examples))
        yield [`${at}/${name}`, value.schema, (example as Any).value];
    }
    if (value.schema && value.example !== undefined) yield [at, value.schema, value.example];
    for (const [name, member] of Object.entries(value)) yield* examples(member, `${at}/${name}`);
  }
  const all = [...examples(document, '')];

  test('each fits its schema', () => {
    expect(all.length).toBeGreaterThan(40);
    const faults = all.flatMap(([at, schema, value]) => {
      const validate = ajv.compile(absolute(schema));
      return validate(value) ? [] : [`${at}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(faults).toEqual([]);
  });

  test('each body in JSON has one', () => {
    const withJson = (value: Any, at: string): string[] => {
      if (value === null || typeof value !== 'object') return [];
      const here =
        value['application/json']?.schema &&
        !value['application/json'].examples &&
        !at.includes('/parameters/')
          ? [at]
          : [];
      return [
        ...here,
        ...Object.entries(value).flatMap(([name, member]) => withJson(member, `${at}/${name}`)),
      ];
    };
    expect(withJson(document, '')).toEqual([]);
  });
});
