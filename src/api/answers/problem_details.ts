import { parseAccept } from 'hono/utils/accept';
import { PROBLEM_TYPE } from './errors.ts';

const JSON_TYPE = 'application/json';

/**
 * Whether the client wants an error as problem details (RFC 9457): its `Accept` names exactly that type, with
 * a weight not below that of plain JSON (RFC 9110 section 12.5.1). Wildcards do not count.
 * @param accept the header's value; undefined or empty without one
 */
export function wantsProblem(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(PROBLEM_TYPE)) return false;
  const weights = new Map(parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q]));
  const asked = weights.get(PROBLEM_TYPE) ?? 0;
  const plain = [JSON_TYPE, 'application/*', '*/*'].find((type) => weights.has(type));
  return asked > 0 && asked >= (plain === undefined ? 0 : weights.get(plain)!);
}
