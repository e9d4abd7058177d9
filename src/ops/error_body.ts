import * as z from 'zod';

/** The stable codes of errors. */
export const errorCodes = [
  'bad_request',
  'invalid_ops',
  'invalid_api_key',
  'quota_exceeded',
  'not_found',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'unprocessable_image',
  'idempotency_key_reused',
  'rate_limit_exceeded',
  'internal_error',
  'misconfigured',
  'overloaded',
  'admin_disabled',
] as const;

export const issueSchema = z
  .strictObject({
    path: z
      .string()
      .describe('Dotted path from the root, e.g. `pixelate.regions.0.w`; empty for the object itself.'),
    message: z.string().describe('What was expected and what came.'),
    code: z.string().describe('Stable code of the kind of problem, e.g. `too_big`.'),
  })
  .describe('One problem in the ops object.');

export const errorBodySchema = z
  .strictObject({
    error: z.enum(errorCodes).describe('Stable machine code.'),
    message: z.string().min(1).describe('What was expected and what came, for people.'),
    docs: z
      .string()
      .meta({ format: 'uri-reference' })
      .optional()
      .describe('Where the code is explained; relative to the service unless its origin is configured.'),
    issues: z.array(issueSchema).min(1).optional().describe('Every problem found, on `invalid_ops`.'),
    retry_after_seconds: z
      .int()
      .min(0)
      .optional()
      .describe('Seconds to wait before the same call can succeed; as the Retry-After header.'),
    request_id: z.string().min(1).describe('As the X-Request-Id header.'),
  })
  .describe('Every error has this body.');

/** RFC 9457: the members that its tools know, in addition to those of every error. */
export const problemSchema = errorBodySchema
  .extend({
    type: z.string().meta({ format: 'uri-reference' }).describe('As `docs`: names the kind of problem.'),
    title: z.string().min(1).describe('What the code means, in the same words each time.'),
    status: z.int().min(400).max(599).describe('As the status of the answer.'),
  })
  .describe('An error as problem details (RFC 9457).');

export type ErrorCode = (typeof errorCodes)[number];
export type Issue = z.output<typeof issueSchema>;
export type ErrorBody = z.output<typeof errorBodySchema>;
export type Problem = z.output<typeof problemSchema>;
