import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import { imagePaths } from '../../../src/api/openapi/paths/images.ts';
import { createApp } from '../../../src/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is walked here by paths that its type does not know
type Any = any;

const document: Any = openApiDocument('https://service.test');
const methods = ['get', 'post', 'put', 'patch', 'delete'];
const operations: [string, Any, string][] = Object.entries(document.paths).flatMap(([path, item]) =>
  methods
    .filter((method) => method in (item as Any))
    .map((method): [string, Any, string] => [`${method.toUpperCase()} ${path}`, (item as Any)[method], path]),
);
test('the document describes exactly the routes of the app', () => {
  const routes = createApp()
    .routes.filter(({ method }) => method !== 'ALL' && method !== 'OPTIONS')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{file}')}`);
  const told = 'a route is described in the file of src/api/openapi/paths that has its tag';
  expect(operations.map(([name]) => name).sort(), told).toEqual([...new Set(routes)].sort());
});

test('operation ids are unique, every tag is described, every operation has its security', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }: Any) => name);
  for (const [name, { tags: own, security }] of operations) {
    expect(tags, name).toEqual(expect.arrayContaining(own));
    expect(Array.isArray(security), name).toBe(true);
  }
  const security = Object.fromEntries(operations.map(([name, operation]) => [name, operation.security]));
  for (const path of Object.keys(imagePaths)) expect(security[`POST ${path}`]).toEqual([{}, { apiKey: [] }]);
  expect(security['GET /v1/usage']).toEqual([{ apiKey: [] }]);
  expect(security['POST /v1/keys']).toEqual([{ adminToken: [] }]);
});

test('image operations have three body formats, and limits are constraints of the schemas', () => {
  for (const path of Object.keys(imagePaths)) {
    const { content } = document.paths[path].post.requestBody;
    expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data', 'image/*']);
    expect(content['image/*'].schema).toMatchObject({ format: 'binary', maxLength: 25 * 1024 * 1024 });
    // By a name of its own: generators of clients made up `InlineObject1` and the like.
    expect(content['application/json'].schema.$ref).toMatch(/\/[A-Z][a-z]+Request$/);
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
