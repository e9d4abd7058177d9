import { badRequest, remoteImage } from './body_errors.ts';
import { MAX_NESTING } from './limits.ts';

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
 * Parses the `ops` of a form field or a query parameter.
 * @returns the value, not yet validated; undefined for blank text, which an empty form field sends
 * @throws ApiError bad_request if the text is not JSON, or as `checkOpsJson`
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
  return ops;
}
