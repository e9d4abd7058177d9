import { parseAccept } from 'hono/utils/accept';
import { PROBLEM_TYPE } from './errors.ts';

const JSON_TYPE = 'application/json';

/**
 * Whether an error is wanted as problem details (RFC 9457): where `Accept` names that very type, by a weight
 * that is not below the one of plain JSON (RFC 9110 section 12.5.1). Wildcards don't ask for it.
 * @param accept the header's value; undefined or empty where there is none
 */
export function wantsProblem(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(PROBLEM_TYPE)) return false;
  const weights = new Map(parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q]));
  const asked = weights.get(PROBLEM_TYPE) ?? 0;
  const plain = [JSON_TYPE, 'application/*', '*/*'].find((type) => weights.has(type));
  return asked > 0 && asked >= (plain === undefined ? 0 : weights.get(plain)!);
}
