import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { errorTable } from '../../src/api/answers/errors.ts';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { llmsText } from '../../src/api/openapi/llms_text.ts';
import { toolDefinitions } from '../../src/api/tools.ts';
import { errorCodes } from '../../src/ops/responses.ts';

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

test('the document is OpenAPI 3.1, version 1.0.0', () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.info.version).toBe('1.0.0');
});

describe('errors', () => {
  test('every error code has an example at its status, and an explanation', () => {
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
    ['GET /v1/usage', [400, 401, 405, 429, 500, 503]],
    ['GET /v1/keys/{key_id}', [401, 404, 405, 429, 500, 503]],
  ])('%s has the error statuses %j', (name, statuses) => {
    const [, { responses }] = operations.find(([at]) => at === name)!;
    expect(
      Object.keys(responses)
        .map(Number)
        .filter((status) => status >= 400),
    ).toEqual(statuses);
  });
});

test('every response has the common headers', () => {
  const common = Object.keys(followed(document.paths['/v1/pricing'].get.responses[200]).headers);
  expect(common).toEqual(expect.arrayContaining(['X-RateLimit-Limit', 'X-Service-Retention', 'RateLimit']));
  for (const [name, { responses }] of operations) {
    for (const [status, response] of Object.entries(responses))
      expect(Object.keys(followed(response).headers), `${name} ${status}`).toEqual(
        expect.arrayContaining(common),
      );
  }
});

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats(ajv);
  ajv.addSchema(document, 'openapi');
  const absolute = (schema: Any): Any =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));

  /** The examples of every media type, header and parameter: location, schema, value. */
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

  test('are valid by their schemas', () => {
    expect(all.length).toBeGreaterThan(40);
    const faults = all.flatMap(([at, schema, value]) => {
      const validate = ajv.compile(absolute(schema));
      return validate(value) ? [] : [`${at}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(faults).toEqual([]);
  });

  test('are there for every JSON body', () => {
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

describe('advice on hiding is safe', () => {
  const texts = {
    'the document': JSON.stringify(document),
    'llms.txt': llmsText(''),
    'tools.json': JSON.stringify(toolDefinitions()),
  };

  test.each(Object.entries(texts))('in %s', (_name, text) => {
    const plain = text.replaceAll('\\', '');
    expect(plain).toMatch(/Only `?("?fill"?: )?(fill )?"solid"`? hides (text|what can be read)/);
    expect(plain).not.toMatch(/gone for good/);
    // Every region of an example is filled, since readers copy it for text and plates.
    for (const [, regions] of plain.matchAll(/"regions":\s*\[(\s*\{[^\]]*\})\s*\]/g))
      for (const region of regions!.split('},')) expect(region).toMatch(/"fill":\s*"solid"/);
  });

  test('every region of an example is found', () => {
    const found = Object.values(texts).flatMap((text) => text.match(/\\?"regions\\?":\s*\[/g) ?? []);
    expect(found.length).toBeGreaterThanOrEqual(3);
  });
});
