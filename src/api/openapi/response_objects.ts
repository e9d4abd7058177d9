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
      'application/json': { schema: typeof schema === 'string' ? schemaRef(schema) : schema, examples },
    },
  };
}

/** Name, description and headers of the response of each error status. */
const errorResponseTable: Record<
  ErrorStatus,
  readonly [name: string, description: string, ...headers: SpecificHeader[]]
> = {
  400: ['BadRequest', 'The request is malformed or out of bounds.'],
  401: ['InvalidKey', 'The key is missing, unknown or revoked.', 'WWW-Authenticate'],
  402: ['QuotaExceeded', 'The monthly cap of billable calls is reached.'],
  404: ['NotFound', 'There is nothing at this address.'],
  405: ['MethodNotAllowed', 'Another method than those described came to this address.', 'Allow'],
  413: ['PayloadTooLarge', 'The image is larger than 25 MB.'],
  415: ['UnsupportedMediaType', 'The body is in no form that is read here.'],
  422: ['UnprocessableImage', 'The bytes are not a decodable image within the limits.'],
  429: ['RateLimited', 'The rate limit is exceeded.', 'Retry-After'],
  500: ['InternalError', 'Something failed on our side; nothing was kept.'],
  503: ['Unavailable', 'Too busy just now (with Retry-After), or key administration is not set up.'],
};

const codesOf = (status: ErrorStatus) =>
  (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].status === status);

/** The `components.responses`: one per error status, with an example of each code. */
export function errorResponses(origin: string): Record<string, ResponseObject> {
  const statuses = Object.keys(errorResponseTable).map(Number) as ErrorStatus[];
  return Object.fromEntries(
    statuses.map((status) => [errorResponseTable[status][0], errorResponse(status, origin)]),
  );
}

function errorResponse(status: ErrorStatus, origin: string): ResponseObject {
  const [, description, ...headers] = errorResponseTable[status];
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
    statuses.map((status) => [status, { $ref: `#/components/responses/${errorResponseTable[status][0]}` }]),
  );
}

/** Error statuses that every operation may give. */
export const commonErrors: readonly ErrorStatus[] = [405, 500];
