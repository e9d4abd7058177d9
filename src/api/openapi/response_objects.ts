import type { ErrorBody, ErrorCode, Problem } from '../../ops/responses.ts';
import { type ErrorStatus, errorTable, PROBLEM_TYPE } from '../answers/errors.ts';
import type { JsonSchema } from '../json_schema.ts';
import { errorGuide } from './error_guide.ts';
import { headersWith, optionalHeader, type SpecificHeader } from './headers.ts';
import { type SchemaName, schemaRef } from './schemas.ts';

/** A response object of OpenAPI 3.1. */
export interface ResponseObject {
  readonly description: string;
  readonly headers: Record<string, unknown>;
  readonly content?: Record<string, unknown>;
}

const REQUEST_ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const RETRY_AFTER_SECONDS = 42;

/** A response with a JSON body. */
export function jsonResponse(
  description: string,
  schema: SchemaName | JsonSchema,
  examples: Record<string, { readonly value: unknown; readonly summary?: string }>,
  ...headers: SpecificHeader[]
): ResponseObject {
  return {
    description,
    headers: headersWith(...headers),
    content: {
      'application/json': {
        schema: typeof schema === 'string' ? schemaRef(schema) : schema,
        examples,
      },
    },
  };
}

/** Name, description and headers of the response of each error status. */
const errorResponseTable: Record<
  ErrorStatus,
  { name: string; description: string; headers: SpecificHeader[] }
> = {
  400: { name: 'BadRequest', description: 'The request is malformed or out of bounds.', headers: [] },
  401: {
    name: 'InvalidKey',
    description: 'The key is missing, unknown or revoked.',
    headers: ['WWW-Authenticate'],
  },
  402: { name: 'QuotaExceeded', description: 'The monthly cap of billable calls is reached.', headers: [] },
  404: { name: 'NotFound', description: 'There is nothing at this address.', headers: [] },
  405: {
    name: 'MethodNotAllowed',
    description: 'Another method than those described came to this address.',
    headers: ['Allow'],
  },
  413: { name: 'PayloadTooLarge', description: 'The image is larger than 25 MB.', headers: [] },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is in no form that is read here.',
    headers: [],
  },
  422: {
    name: 'UnprocessableImage',
    description: 'The bytes are not a decodable image within the limits.',
    headers: [],
  },
  429: { name: 'RateLimited', description: 'The rate limit is exceeded.', headers: ['Retry-After'] },
  500: {
    name: 'InternalError',
    description: 'Something failed on our side; nothing was kept.',
    headers: [],
  },
  503: {
    name: 'Unavailable',
    description: 'Too busy just now (with Retry-After), or key administration is not set up.',
    headers: [],
  },
};

const codesOf = (status: ErrorStatus) =>
  (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].status === status);

/** The `components.responses`: one per error status, with an example of each code. */
export function errorResponses(origin: string): Record<string, ResponseObject> {
  const statuses = Object.keys(errorResponseTable).map(Number) as ErrorStatus[];
  return Object.fromEntries(
    statuses.map((status) => [errorResponseTable[status].name, errorResponse(status, origin)]),
  );
}

function errorResponse(status: ErrorStatus, origin: string): ResponseObject {
  const { description, headers } = errorResponseTable[status];
  const codes = codesOf(status);
  const content = (name: SchemaName, exampleOf: (code: ErrorCode) => unknown) => ({
    schema: {
      allOf: [
        schemaRef(name),
        {
          type: 'object',
          properties: { error: { type: 'string', enum: codes } },
          ...(status === 429 && { required: ['retry_after_seconds'] }),
        },
      ],
    },
    examples: Object.fromEntries(
      codes.map((code) => [code, { summary: errorTable[code].meaning, value: exampleOf(code) }]),
    ),
  });
  return {
    description,
    headers: {
      ...headersWith('Cache-Control', ...headers),
      ...(status === 503 && optionalHeader('Retry-After')),
    },
    content: {
      'application/json': content('Error', (code) => errorExample(code, origin)),
      [PROBLEM_TYPE]: content('Problem', (code) => problemExample(code, origin)),
    },
  };
}

function problemExample(code: ErrorCode, origin: string): Problem {
  const { status, meaning } = errorTable[code];
  return { type: `${origin}/docs#${code}`, title: meaning, status, ...errorExample(code, origin) };
}

function errorExample(code: ErrorCode, origin: string): ErrorBody {
  const [path, message] = errorGuide.invalid_ops.example.split(': ') as [string, string];
  return {
    error: code,
    message: errorGuide[code].example,
    docs: `${origin}/docs#${code}`,
    ...(code === 'invalid_ops' && { issues: [{ path, message, code: 'too_big' }] }),
    ...((code === 'rate_limit_exceeded' || code === 'overloaded') && {
      retry_after_seconds: RETRY_AFTER_SECONDS,
    }),
    request_id: REQUEST_ID,
  };
}

/** References to the error responses that an operation may give. */
export function errorRefs(...statuses: ErrorStatus[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { $ref: `#/components/responses/${errorResponseTable[status].name}` },
    ]),
  );
}

/** Error statuses that every operation may give. */
export const commonErrors: readonly ErrorStatus[] = [405, 500];
