import type { Context } from 'hono';
import { ApiError } from '../answers/errors.ts';
import type { Env } from '../env.ts';

export { MAX_TRIES } from '../../metering/retries.ts';

/** Characters of an idempotency key without its quotes; a UUID has 36. */
export const MAX_IDEMPOTENCY_KEY = 255;

/** A string of structured fields (RFC 9651 section 3.3.3), or the same without quotes. */
const keyShape = new RegExp(
  `^(?:"([ !#-\\[\\]-~]{1,${MAX_IDEMPOTENCY_KEY}})"|([!#-\\[\\]-~]{1,${MAX_IDEMPOTENCY_KEY}}))$`,
);

/**
 * Identifies the call that this request is an attempt at, by its `Idempotency-Key`
 * (draft-ietf-httpapi-idempotency-key-header-07). The same key at another address means another call.
 * @param keyId the API key of the caller
 * @returns 53 bits of SHA-256, the only trace of the header that is kept; null without the header
 * @throws ApiError bad_request for a malformed header
 */
export async function retryHash(c: Context<Env>, keyId: string): Promise<number | null> {
  const header = c.req.raw.headers.get('Idempotency-Key');
  if (header === null) return null;
  const [, quoted, bare] = keyShape.exec(header.trim()) ?? [];
  const key = quoted ?? bare;
  if (key === undefined) {
    const expected = `Expected Idempotency-Key to be a string of 1 to ${MAX_IDEMPOTENCY_KEY} characters, such as a UUID.`;
    throw new ApiError('bad_request', expected);
  }
  const text = new TextEncoder().encode(`${keyId}\n${c.req.path}\n${key}`);
  const hash = new DataView(await crypto.subtle.digest('SHA-256', text));
  return (hash.getUint32(0) >>> 11) * 2 ** 32 + hash.getUint32(4);
}
