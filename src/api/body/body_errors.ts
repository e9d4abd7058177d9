import { ApiError } from '../errors.ts';
import { MAX_IMAGE_BYTES, MAX_NESTING, MAX_OPS_BYTES } from './limits.ts';

/** The sentences that several body forms share when they refuse. */

export const badRequest = (message: string) => new ApiError('bad_request', message);

const NEVER_FETCHED =
  'Remote images are never fetched: send the image itself, as base64 in "image", as a multipart file part, or as the body.';

export const remoteImage = (what: string) => badRequest(`${what} ${NEVER_FETCHED}`);

export const imageTooLarge = (bytes?: number) =>
  new ApiError(
    'payload_too_large',
    `The image is larger than 25 MB (${MAX_IMAGE_BYTES} bytes)${bytes === undefined ? '' : `: the request declares ${bytes} bytes`}.`,
  );

export const opsTooLarge = (what: string) =>
  new ApiError('payload_too_large', `${what} is larger than 1 MB (${MAX_OPS_BYTES} bytes).`);

/**
 * Names from the sender, quoted, shortened and no longer than a handful: messages stay readable and bounded.
 */
export function quoted(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
  return shown.join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
}

/**
 * Refuses an `ops` value that names a remote image at any depth, or that nests deeper than MAX_NESTING.
 * Iterative: hostile nesting costs no stack. @throws ApiError bad_request
 */
export function checkOps(ops: unknown): void {
  let level: unknown[] = [ops];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTING) throw badRequest(`ops is nested deeper than ${MAX_NESTING} levels.`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (Object.hasOwn(value, 'image_url')) throw remoteImage('ops holds "image_url".');
      for (const member of Object.values(value)) next.push(member);
    }
    level = next;
  }
}

/**
 * The `ops` of a form field or a query parameter: JSON text. Empty text is what an empty form field sends: no
 * ops.
 * @throws ApiError bad_request when it is not JSON, or holds `image_url`
 */
export function parseOps(text: string): unknown {
  if (text.trim() === '') return undefined;
  let ops: unknown;
  try {
    ops = JSON.parse(text);
  } catch (error) {
    throw badRequest(`ops is not valid JSON: ${(error as SyntaxError).message}`);
  }
  checkOps(ops);
  return ops;
}
