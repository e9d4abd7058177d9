import { ApiError } from '../errors.ts';
import { badRequest, quoted, remoteImage } from './body_errors.ts';
import { duplicateNames } from './json_duplicates.ts';
import { MAX_NESTING } from './limits.ts';

/** Longer paths are cut: no known member has one. */
const MAX_PATH_LENGTH = 200;

/**
 * Refuses an `ops` value that contains `image_url` at any depth, or nests deeper than MAX_NESTING. Iterative,
 * so that hostile nesting can't exhaust the stack.
 * @throws ApiError bad_request
 */
export function checkOpsJson(ops: unknown): void {
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
 * Refuses ops that name a member twice: which of the values is meant, nobody can tell.
 * @param paths dotted paths from the root of ops
 * @throws ApiError invalid_ops with one issue per name
 */
export function refuseDuplicates(paths: readonly string[]): void {
  if (paths.length === 0) return;
  const issues = paths.map((path) => ({
    path: path.slice(0, MAX_PATH_LENGTH),
    message: 'Expected each member once but received this one more often',
    code: 'duplicate_name',
  }));
  throw new ApiError('invalid_ops', `ops holds ${quoted(paths)} more than once.`, { issues });
}

/**
 * Parses the `ops` of a form field or a query parameter.
 * @returns the value, not yet validated; undefined for blank text, which an empty form field sends
 * @throws ApiError bad_request if the text is not JSON, or as `checkOpsJson`; invalid_ops for duplicate names
 */
export function parseOpsJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  let ops: unknown;
  try {
    ops = JSON.parse(text);
  } catch (error) {
    throw badRequest(`ops is not valid JSON: ${(error as SyntaxError).message}`);
  }
  checkOpsJson(ops);
  refuseDuplicates(duplicateNames(text));
  return ops;
}
