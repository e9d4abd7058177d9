import type * as z from 'zod';
import { validateOps } from '../ops/validate.ts';
import { quoted } from './body/body_errors.ts';
import { parseHeaderValue } from './body/header_value.ts';
import { duplicateNames } from './body/json_duplicates.ts';
import { ApiError } from './errors.ts';
import { readSmallBody } from './small_body.ts';

/** Most bytes of the body; a valid one about a key has far fewer. */
const MAX_BODY_BYTES = 4096;

/**
 * Reads the JSON body of a request to the operator's addresses.
 * @param example a valid body, for messages
 * @throws ApiError unsupported_media_type; bad_request, with one issue for each problem of its members
 */
export async function readSmallJson<Schema extends z.ZodType>(
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
  const value = parseJson(text, example);
  refuseDuplicates(text);
  const result = validateOps(schema, value);
  if (result.ok) return result.ops;
  const [first] = result.issues;
  const message = `${first?.path || 'The body'}: ${first?.message}`;
  throw new ApiError('bad_request', message, { issues: result.issues });
}

function parseJson(text: string, example: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('bad_request', `Expected a JSON body such as ${example}.`);
  }
}

/** Which of two caps is meant, nobody can tell. */
function refuseDuplicates(text: string): void {
  const paths = duplicateNames(text);
  if (paths.length === 0) return;
  const issues = paths.map((path) => ({
    path,
    message: 'Expected each member once but received this one more often',
    code: 'duplicate_name',
  }));
  throw new ApiError('bad_request', `The body holds ${quoted(paths)} more than once.`, { issues });
}
