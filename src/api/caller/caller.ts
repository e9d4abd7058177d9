import type { Context } from 'hono';
import type { KeyFacts } from '../../metering/key_account.ts';
import { type KeyClaims, signingSecrets, verifyKey } from '../../metering/key_tokens.ts';
import type { Terms } from '../../metering/meter.ts';
import { type PlanName, plans } from '../../metering/plans.ts';
import { ApiError } from '../answers/errors.ts';
import type { Bindings, Env } from '../env.ts';
import { clientAddress } from './client_address.ts';
import { FailureThrottle, throttledError } from './failure_throttle.ts';
import { networkOf } from './network.ts';

/** A caller whose calls are counted. */
export interface CountedCaller {
  readonly kind: 'anonymous' | 'key';
  readonly plan: PlanName;
  /** Name of the Durable Object that counts their calls. */
  readonly meterName: string;
  readonly terms: Terms;
  /** Numbers about the key that the object stores; null for anonymous callers. */
  readonly facts: KeyFacts | null;
  /** null for anonymous callers. */
  readonly keyId: string | null;
}

/**
 * Who is calling. `refused`: the request has credentials that are not a key of this service; nothing is
 * counted and no object is asked.
 */
type Caller = CountedCaller | { readonly kind: 'refused'; readonly plan: 'free' };

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by `callerOf`. */
    caller: Caller | undefined;
  }
}

/** The caller of this request; identified once, then remembered. */
export async function callerOf(c: Context<Env>): Promise<Caller> {
  const known = c.get('caller');
  if (known) return known;
  const { raw } = c.req;
  const caller = await identifyCaller(raw.headers, clientAddress(raw, c.env), c.env);
  c.set('caller', caller);
  return caller;
}

const wrongKeys = new FailureThrottle();

/**
 * The caller of a request that must be counted. Valid keys are accepted however many wrong ones came from the
 * same address: a key can't be guessed, and many may share an address.
 * @throws ApiError invalid_api_key for an unknown key; rate_limit_exceeded after `MAX_FAILURES` of these a
 * minute from one address
 */
export async function countedCallerOf(c: Context<Env>): Promise<CountedCaller> {
  const caller = await callerOf(c);
  if (caller.kind !== 'refused') return caller;
  throw refusedKeyError(c, 'unissued');
}

const refusedKeyMessage = {
  unissued: 'This API key is unknown.',
  expired: 'This API key has expired.',
  replaced: 'This API key was replaced by a newer one.',
  revoked: 'This API key has been revoked.',
};

/** The error for a refused key. Counts it for the address, see `FailureThrottle`. */
export function refusedKeyError(c: Context<Env>, why: keyof typeof refusedKeyMessage): ApiError {
  const retryAfterSeconds = wrongKeys.add(callerNetwork(c), Date.now());
  if (retryAfterSeconds > 0) return throttledError('API keys', retryAfterSeconds);
  return new ApiError('invalid_api_key', refusedKeyMessage[why]);
}

/** Longest `Authorization` header that is read; every key fits. */
const MAX_AUTHORIZATION = 1024;

/**
 * The token of an `Authorization: Bearer` header (RFC 6750 section 2.1; the scheme is case-insensitive).
 * @returns undefined without the header; '' for credentials of any other form
 */
export function bearerToken(headers: Headers): string | undefined {
  const authorization = headers.get('Authorization');
  if (authorization === null) return undefined;
  if (authorization.length > MAX_AUTHORIZATION) return '';
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
}

/**
 * Identifies the caller without storage.
 * @param address of the client, '' if it is not known
 */
export async function identifyCaller(
  headers: Headers,
  address: string,
  secrets: Pick<Bindings, 'KEY_SIGNING_SECRET' | 'CALLER_HASH_SECRET'>,
): Promise<Caller> {
  const token = bearerToken(headers);
  if (token === undefined) return anonymousCaller(address, secrets);
  const claims = await verifyKey(token, signingSecrets(secrets.KEY_SIGNING_SECRET));
  return claims ? keyCaller(claims) : { kind: 'refused', plan: 'free' };
}

function keyCaller({ id, plan, cap, issuedAt }: KeyClaims): CountedCaller {
  return {
    kind: 'key',
    plan,
    meterName: id,
    terms: { limit: plans[plan].callsPerWindow, cap },
    facts: { plan: plans[plan].code, cap, issuedAt },
    keyId: id,
  };
}

/**
 * Tells callers without a key apart by the network they call from (`clientAddress`). If it is not known, they
 * all share one counter.
 *
 * The object's name is HMAC-SHA-256 of the network under `CALLER_HASH_SECRET`. A deployment without it still
 * serves anonymous calls: it uses the signing secret, or else a fixed text. A random secret per isolate is no
 * option, since each isolate would count on its own and the limit would not hold. With the fixed text,
 * someone who can list the account's objects could find addresses by trial during the minute an object lives.
 */
async function anonymousCaller(
  address: string,
  { CALLER_HASH_SECRET, KEY_SIGNING_SECRET }: Pick<Bindings, 'KEY_SIGNING_SECRET' | 'CALLER_HASH_SECRET'>,
): Promise<CountedCaller> {
  const secret = CALLER_HASH_SECRET || KEY_SIGNING_SECRET || 'no secret is set';
  const network = networkOf(address);
  const encoder = new TextEncoder();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign']);
  const hash = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(`caller ${network}`)));
  const terms = { limit: plans.free.callsPerWindow, cap: null };
  return {
    kind: 'anonymous',
    plan: 'free',
    meterName: `anonymous_${hash.toHex()}`,
    terms,
    facts: null,
    keyId: null,
  };
}

/** The network that a request came from; '' where it is not known. */
export function callerNetwork(c: Context<Env>): string {
  return networkOf(clientAddress(c.req.raw, c.env));
}
