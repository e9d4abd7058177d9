import { duplicateIssues } from '../../json/duplicates.ts';
import { parseJson } from '../../json/parse.ts';
import { quoted } from '../../json/quoted.ts';
import { ApiError } from '../answers/errors.ts';
import { badRequest, remoteImage } from './body_errors.ts';

/**
 * Refuses an `ops` value that contains `image_url` at any depth. Iterative, so that hostile nesting can't
 * exhaust the stack.
 * @throws ApiError bad_request
 */
export function checkOpsJson(ops: unknown): void {
  const open: unknown[] = [ops];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, 'image_url')) throw remoteImage('ops holds "image_url".');
    for (const member of Object.values(value)) open.push(member);
  }
}

/**
 * Refuses ops that name a member twice: nobody can tell which of the values is meant.
 * @param paths dotted paths from the root of ops
 * @throws ApiError invalid_ops with one issue per name
 */
export function refuseDuplicates(paths: readonly string[]): void {
  if (paths.length === 0) return;
  throw new ApiError('invalid_ops', `ops holds ${quoted(paths)} more than once.`, {
    issues: duplicateIssues(paths),
  });
}

/**
 * Parses the `ops` of a form field or a query parameter.
 * @returns the value, not yet validated; undefined for blank text, which an empty form field sends
 * @throws ApiError bad_request as `parseJson` and `checkOpsJson`; invalid_ops for duplicate names
 */
export function parseOpsJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  const { value: ops, duplicates } = parseJson(text, { what: 'ops', fault: badRequest });
  checkOpsJson(ops);
  refuseDuplicates(duplicates);
  return ops;
}
