import { planNameSchema } from '../../ops/account.ts';
import type { JsonSchema } from '../json_schema.ts';

interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example: string | number | boolean;
}

const header = (
  description: string,
  schema: JsonSchema,
  example: HeaderObject['example'],
  required = true,
): HeaderObject => ({ description, required, schema, example });

const count = { type: 'integer', minimum: 0 };

/** A header that always has the same value. */
const constant = (description: string, value: string) =>
  header(description, { type: 'string', const: value }, value);

/** A header with values of this pattern, such as the example. */
const formed = (description: string, pattern: RegExp, example: string, required = true) =>
  header(description, { type: 'string', pattern: pattern.source }, example, required);

/**
 * Headers that every response carries. Those not marked as required are sent when the request or the state
 * calls for them. If the caller's calls are not looked up, the figures are those of an unused free plan.
 */
const commonHeaders = {
  'X-RateLimit-Limit': header('Calls permitted in the rolling window.', { type: 'integer', minimum: 1 }, 60),
  'X-RateLimit-Remaining': header('Calls still available in the window.', count, 59),
  'X-RateLimit-Reset': header(
    'Unix seconds when the next place in use is free again; the present where none is in use.',
    count,
    1_790_000_000,
  ),
  'X-Service-Billable': header(
    'Whether this call was charged.',
    { type: 'string', enum: ['true', 'false'] },
    'false',
  ),
  'X-Service-Plan': header(
    'Plan of the caller; `free` where keys are not looked at.',
    { type: 'string', enum: planNameSchema.options },
    'pro',
  ),
  'X-Service-Period-Cost-Cents': header(
    'Month-to-date cost of the key, in US cents; 0 where keys are not looked at.',
    { type: 'number', minimum: 0 },
    1.2,
  ),
  'X-Service-Cap-Remaining': header(
    'Billable calls left this month until the cap of the key; sent once a tenth of it or less is left.',
    count,
    412,
    false,
  ),
  'X-Service-Retention': constant('Nothing of an image is kept.', 'none'),
  'X-Request-Id': header(
    'Names this call.',
    { type: 'string', format: 'uuid' },
    '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  ),
  traceparent: formed(
    "The request's own (W3C Trace Context), where it had a valid one.",
    /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/,
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    false,
  ),
  RateLimit: formed(
    'Calls left `r`, and seconds `t` until more are (draft-ietf-httpapi-ratelimit-headers).',
    /^"[a-z]+";r=\d+;t=\d+$/,
    '"pro";r=59;t=60',
  ),
  'RateLimit-Policy': formed(
    'The quota `q` and its window `w` in seconds.',
    /^"[a-z]+";q=\d+;w=\d+$/,
    '"pro";q=60;w=60',
  ),
  'X-Content-Type-Options': constant('Types are never guessed.', 'nosniff'),
  'Strict-Transport-Security': formed(
    'Only TLS from now on; not sent over plain HTTP.',
    /^max-age=\d+$/,
    'max-age=31536000',
    false,
  ),
  'Access-Control-Allow-Origin': constant('Any origin may call.', '*'),
};

/** Headers of some responses. */
const specificHeaders = {
  'X-Service-Faces-Detected': header(
    'Faces found at the confidence asked for, or given as `pixelate.areas`.',
    count,
    2,
  ),
  'X-Service-Regions-Pixelated': header(
    'Regions that touch the image and became blocks, so none that is solid.',
    count,
    1,
  ),
  'Content-Disposition': formed(
    'A name to save the image under; not sent with JSON.',
    /^inline; filename="sanitized\.(jpg|png|webp)"$/,
    'inline; filename="sanitized.jpg"',
    false,
  ),
  'Cache-Control': header('How long the answer may be kept.', { type: 'string' }, 'no-store'),
  'Retry-After': header('Seconds to wait before the same call can succeed.', count, 42),
  'WWW-Authenticate': constant('The scheme that credentials are expected in.', 'Bearer'),
  Allow: formed('Methods that this address takes.', /^[A-Z]+(, [A-Z]+)*$/, 'OPTIONS, POST'),
  Location: header(
    'Where the new key is seen; or where to go on.',
    { type: 'string', format: 'uri-reference' },
    '/v1/keys/key_0123456789abcdef01234567',
  ),
  'Content-Security-Policy': header(
    'What the page may load: nothing from elsewhere.',
    { type: 'string' },
    "default-src 'none'",
  ),
  'Referrer-Policy': constant('Links tell nobody where they were followed.', 'no-referrer'),
  'Cross-Origin-Opener-Policy': constant('The page keeps to itself.', 'same-origin'),
  'Permissions-Policy': header('What the page does without.', { type: 'string' }, 'camera=()'),
};

export type SpecificHeader = keyof typeof specificHeaders;

export const componentHeaders: Record<string, HeaderObject> = { ...commonHeaders, ...specificHeaders };

const refs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The `headers` of a response: those of every response, and `names`. */
export const headersWith = (...names: SpecificHeader[]) => refs([...Object.keys(commonHeaders), ...names]);

/** A header that a response may lack, as a member of its `headers`. */
export const optionalHeader = (name: SpecificHeader) => ({
  [name]: { ...componentHeaders[name], required: false },
});
