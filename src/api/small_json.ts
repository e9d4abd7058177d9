import type * as z from 'zod/mini';
import { duplicateIssues } from '../json/duplicates.ts';
import { parseJson } from '../json/parse.ts';
import { quoted } from '../json/quoted.ts';
import { validateOps } from '../ops/validate.ts';
import { ApiError } from './answers/errors.ts';
import { parseHeaderValue } from './body/header_value.ts';
import { readSmallBody } from './small_body.ts';

/** Most bytes of the body; a valid body about a key is far shorter. */
const MAX_BODY_BYTES = 4096;

/**
 * Reads the JSON body of a request to the operator's endpoints.
 * @param example a valid body, for messages
 * @throws ApiError unsupported_media_type; bad_request, with one issue for each invalid member
 */
export async function readSmallJson<Schema extends z.core.$ZodType>(
  request: Request,
  schema: Schema,
  example: string,
): Promise<z.output<Schema>> {
  const { value: type } = parseHeaderValue(request.headers.get('Content-Type') ?? '');
  if (type !== '' && type !== 'application/json')
    throw new ApiError('unsupported_media_type', `Expected application/json such as ${example}.`);
  const text = await readSmallBody(request, MAX_BODY_BYTES);
  if (text === null)
    throw new ApiError(
      'bad_request',
      `Expected a body of at most ${MAX_BODY_BYTES} bytes such as ${example}.`,
    );
  const fault = () => new ApiError('bad_request', `Expected a JSON body such as ${example}.`);
  const { value, duplicates } = parseJson(text, { what: 'The body', fault });
  // Nobody can tell which of two caps is meant.
  if (duplicates.length > 0) {
    const issues = duplicateIssues(duplicates);
    throw new ApiError('bad_request', `The body holds ${quoted(duplicates)} more than once.`, { issues });
  }
  const result = validateOps(schema, value);
  if (result.ok) return result.ops;
  const [first] = result.issues;
  const message = `${first?.path || 'The body'}: ${first?.message}`;
  throw new ApiError('bad_request', message, { issues: result.issues });
}
