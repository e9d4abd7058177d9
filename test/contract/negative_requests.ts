import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { OpenApiDocument } from '../../src/api/openapi/document.ts';
import { photoPicture } from '../fixtures/pictures.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { callService } from '../fixtures/service.ts';
import type { RequestSchema } from './invalid.ts';

/**
 * Invalid requests derived from the description. callService checks each response against it, so every 4xx is
 * a documented one.
 */
export const document = (await (await callService('/openapi.json')).json()) as OpenApiDocument;
const ajv = new Ajv2020({ strict: false, validateSchema: false });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema(document, 'openapi');

export const SEED = 20261120;
export const admin = { Authorization: 'Bearer test-admin-token-of-22-or-more' };
export const image = await sampleFile('png', photoPicture(9, 7, 1));

/**
 * A valid body of each operation that has one, with all members, so that each can be made invalid.
 */
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
export const valid: Record<string, unknown> = {
  '/v1/sanitize': { image: base64, ops },
  '/v1/detect': { image: base64, ops: { confidence: 0.6, padding: 1.5 } },
  '/v1/inspect': { image: base64, ops: {} },
  '/v1/keys': { plan: 'pro', monthly_billable_cap: 5 },
  '/v1/keys/{key_id}/rotate': { overlap_seconds: 60 },
  '/mcp': { jsonrpc: '2.0', id: 1, method: 'ping', params: {} },
};

let issuedId: Promise<string> | undefined;

/** The id of a key, for the operations on one; issued by the first of them. */
async function keyId(): Promise<string> {
  issuedId ??= callService('/v1/keys', {
    method: 'POST',
    headers: { ...admin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ plan: 'pro' }),
  })
    .then((answer) => answer.json<{ key_id: string }>())
    .then(({ key_id }) => key_id);
  return issuedId;
}

const headersOf = (path: string): Record<string, string> =>
  path === '/mcp'
    ? { Accept: 'application/json, text/event-stream' }
    : path.startsWith('/v1/keys')
      ? admin
      : {};

export async function post(path: string, body: BodyInit, type: string, query = ''): Promise<Response> {
  const address = path.includes('{key_id}') ? path.replace('{key_id}', await keyId()) : path;
  const headers = { ...headersOf(path), 'Content-Type': type };
  return callService(address + query, { method: 'POST', headers, body });
}

export const schemaOf = (path: string): RequestSchema => {
  const { requestBody } = document.paths[path]!.post as {
    requestBody: { content: Record<string, { schema: RequestSchema }> };
  };
  return follow(requestBody.content['application/json']!.schema);
};
export const follow = (schema: RequestSchema): RequestSchema => {
  if (!schema.$ref) return schema;
  return document.components.schemas[schema.$ref.split('/').at(-1)!] as RequestSchema;
};
export const validator = (schema: RequestSchema) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')));

/** Sends a few seeded samples of each kind and expects 4xx; returns how many were sent. */
export async function refusals(
  ways: fc.Arbitrary<unknown>[],
  isValid: (value: unknown) => boolean,
  send: (value: unknown) => Promise<Response>,
  numRuns: number,
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
