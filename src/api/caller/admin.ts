import type { Context } from 'hono';
import { signingSecrets } from '../../metering/key_tokens.ts';
import { ApiError } from '../answers/errors.ts';
import type { Env } from '../env.ts';
import { bearerToken, callerNetwork } from './caller.ts';
import { FailureThrottle, throttledError } from './failure_throttle.ts';

const wrongTokens = new FailureThrottle();

/**
 * Refuses everyone but the operator.
 * @returns the secrets that API keys are signed with, at least one
 * @throws ApiError admin_disabled if the deployment has no admin token or no signing secret; invalid_api_key
 * if the token is missing or wrong; rate_limit_exceeded after `MAX_FAILURES` wrong tokens a minute from one
 * address, then for right tokens too. Where the address is not known, the right token always passes:
 * otherwise anyone could lock the operator out.
 */
export async function requireAdmin(c: Context<Env>): Promise<[string, ...string[]]> {
  const { ADMIN_TOKEN, KEY_SIGNING_SECRET } = c.env;
  const [signer, ...older] = signingSecrets(KEY_SIGNING_SECRET);
  if (!ADMIN_TOKEN || signer === undefined) throw new ApiError('admin_disabled');
  const token = bearerToken(c.req.raw.headers);
  if (token === undefined) throw new ApiError('invalid_api_key', 'This address needs the admin token.');
  const network = callerNetwork(c);
  const blockedSeconds = network === '' ? 0 : wrongTokens.secondsLeft(network, Date.now());
  if (blockedSeconds > 0) throw throttledError('admin tokens', blockedSeconds);
  if (!(await isSameSecret(token, ADMIN_TOKEN))) {
    const retryAfterSeconds = wrongTokens.add(network, Date.now());
    if (retryAfterSeconds > 0) throw throttledError('admin tokens', retryAfterSeconds);
    throw new ApiError('invalid_api_key', 'The admin token is wrong.');
  }
  return [signer, ...older];
}

/** Compares in a time that reveals neither where two texts differ nor whether their lengths do. */
async function isSameSecret(one: string, other: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return crypto.subtle.timingSafeEqual(await digest(one), await digest(other));
}
