import { outputMediaTypes } from '../../../ops/responses.ts';
import { opOrder } from '../../../ops/schema.ts';
import type { ErrorStatus } from '../../answers/errors.ts';
import { MAX_IDEMPOTENCY_KEY, MAX_TRIES } from '../../billing/idempotency_key.ts';
import { MAX_IMAGE_BYTES } from '../../body/limits.ts';
import * as examples from '../examples.ts';
import { headersWith } from '../headers.ts';
import { operation } from '../operation.ts';
import { jsonResponse } from '../response_objects.ts';
import { type SchemaName, schemaRef } from '../schemas.ts';

/** Error statuses of every operation that takes an image. */
const imageErrors: ErrorStatus[] = [400, 401, 402, 413, 415, 422, 429, 503];

/** Bytes of a media type. Client generators recognise binary data only by `binary`. */
const bytesOf = (type: string) => ({ type: 'string', format: 'binary', contentMediaType: type });

interface JsonExample {
  readonly summary: string;
  readonly value: unknown;
}

/** The three body formats, with one schema for ops. @param more examples of JSON, by their names */
function imageBody(
  ops: SchemaName,
  request: SchemaName,
  example: unknown,
  more: Record<string, JsonExample> = {},
) {
  const json = { image: examples.SAMPLE_BASE64, ops: example };
  return {
    required: true,
    description: 'One image, in any of three forms.',
    content: {
      'application/json': {
        schema: schemaRef(request),
        examples: { base64: { summary: 'An image as base64', value: json }, ...more },
      },
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            image: { ...bytesOf('image/*'), maxLength: MAX_IMAGE_BYTES },
            ops: {
              type: 'string',
              contentMediaType: 'application/json',
              contentSchema: schemaRef(ops),
              description: 'The ops object as JSON text.',
            },
          },
          required: ['image'],
          additionalProperties: false,
        },
        encoding: { image: { contentType: 'image/*' }, ops: { contentType: 'application/json' } },
      },
      'image/*': {
        schema: {
          ...bytesOf('image/*'),
          maxLength: MAX_IMAGE_BYTES,
          description:
            'The bytes of the image; ops go into the query. What counts is the bytes, not the type.',
        },
      },
    },
  };
}

const opsInQuery = (ops: SchemaName) => ({
  name: 'ops',
  in: 'query',
  required: false,
  description: 'With an `image/*` body only: the ops object as URL-encoded JSON.',
  content: { 'application/json': { schema: schemaRef(ops) } },
});

/** The header parameter of every operation that may be metered. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'With an API key: names a call, so that it is counted and charged once, however often it is tried ' +
    'within 24 hours. Each try is processed and takes a place of the rate limit. Use a new one for each ' +
    `picture and each set of ops (422 otherwise); at most ${MAX_TRIES} tries may succeed.`,
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY + 2 },
  example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
};

export const imagePaths = {
  '/v1/sanitize': {
    post: operation({
      id: 'sanitizeImage',
      tag: 'Images',
      summary: 'Make a clean copy of an image',
      description:
        `Applies EXIF auto-rotate, ${opOrder.slice(0, -1).join(', ')} and ${opOrder.at(-1)}, in this ` +
        'order, and encodes the raw pixels again, so no metadata is left. Solid fills are painted before ' +
        'the resize. Faces are found and pixelated unless `pixelate.faces` is `false`; face detection is ' +
        'not exhaustive. Only `fill: "solid"` hides text, numbers, documents, plates and screens: text ' +
        'under a mosaic can be guessed. `crop` counts in the upright picture after `rotate`; ' +
        '`pixelate.regions` and `except` in the output, after crop and resize; `pixelate.areas` takes ' +
        'boxes of detect unchanged, in the upright picture before rotate, crop and resize. With `areas` ' +
        'nothing is searched for unless the call asks.',
      auth: 'optional',
      parameters: [opsInQuery('SanitizeOps'), idempotencyKey],
      body: imageBody('SanitizeOps', 'SanitizeRequest', examples.opsExample, {
        areas: {
          summary: 'Boxes of detect that a person has chosen',
          value: { image: examples.SAMPLE_BASE64, ops: examples.areasExample },
        },
      }),
      responses: {
        200: {
          description:
            'The clean image; or, with `ops.response` = `json`, the image as base64 with a report.',
          headers: headersWith(
            'X-Service-Faces-Detected',
            'X-Service-Regions-Pixelated',
            'Cache-Control',
            'Content-Disposition',
          ),
          content: {
            ...Object.fromEntries(outputMediaTypes.map((type) => [type, { schema: bytesOf(type) }])),
            'application/json': {
              schema: schemaRef('SanitizeEnvelope'),
              examples: { clean: { summary: 'A clean image', value: examples.envelopeExample } },
            },
          },
        },
      },
      errors: imageErrors,
    }),
  },
  '/v1/detect': {
    post: operation({
      id: 'detectFaces',
      tag: 'Images',
      summary: 'Find faces',
      description:
        'Lists face boxes and, with `kinds`, number plates and text (experimental); the image is neither ' +
        'changed nor returned. Boxes are padded, clipped, and in pixels of the whole upright image. To ' +
        'hide some of them, send these back unchanged as `pixelate.areas` of sanitize, whatever it ' +
        'rotates, crops or resizes. Zero faces found does not prove that there are none.',
      auth: 'optional',
      parameters: [opsInQuery('DetectOps'), idempotencyKey],
      body: imageBody('DetectOps', 'DetectRequest', { confidence: 0.5 }),
      responses: {
        200: jsonResponse(
          'Where faces are, and what else was asked for.',
          'DetectResult',
          {
            found: { summary: 'One face', value: examples.detectExample },
            boxes: { summary: 'A face and a plate, with `kinds`', value: examples.boxesExample },
            none: { summary: 'None found, which proves nothing', value: examples.noFacesExample },
          },
          'Cache-Control',
        ),
      },
      errors: imageErrors,
    }),
  },
  '/v1/inspect': {
    post: operation({
      id: 'inspectImage',
      tag: 'Images',
      summary: 'See what metadata an image carries',
      description:
        'Read-only: exactly what sanitize would destroy. No pixel is decoded. With `ops.values` also what ' +
        'the metadata say: place, times, device, people, texts, provenance and thumbnails, each with the ' +
        'block and the field that says so. None of it is verified: metadata can say anything.',
      auth: 'optional',
      parameters: [opsInQuery('InspectOps'), idempotencyKey],
      body: imageBody('InspectOps', 'InspectRequest', { values: true }),
      responses: {
        200: jsonResponse(
          'What the file carries.',
          'InspectResult',
          {
            photo: { summary: 'A photo from a phone', value: examples.inspectExample },
            values: { summary: 'The same with `ops.values`', value: examples.inspectValuesExample },
          },
          'Cache-Control',
        ),
      },
      errors: imageErrors,
    }),
  },
};
