import type { Context, MiddlewareHandler } from 'hono';
import type { CallFailure } from '../../metering/journal.ts';
import { planOf } from '../../metering/key_account.ts';
import type { CallDecision, CallerUsage } from '../../metering/meter_answers.ts';
import { plans } from '../../metering/plans.ts';
import { callArrived, callEnded } from '../../scheduling/time_slice.ts';
import { ApiError, toApiError } from '../answers/errors.ts';
import { type CountedCaller, callerOf, countedCallerOf, refusedKeyError } from '../caller/caller.ts';
import type { Env } from '../env.ts';
import { MAX_TRIES, retryHash } from './idempotency_key.ts';
import { issuedAccount } from './issued_keys.ts';
import { enlistUsedKey } from './listed_keys.ts';
import { CallerMeter, MeterUnreachable, randomCallId } from './meter_client.ts';
import { type RateLimitStatus, rateLimitStatus, unusedRateLimitStatus } from './rate_limit_status.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Unix milliseconds by the isolate's clock, just after admission. Set for metered calls. */
    admittedAt: number | undefined;
    /** Set for metered calls with an idempotency key. */
    retriedCall: RetriedCall | undefined;
  }
}

/**
 * Middleware that counts one call: asks the meter to admit it before any work is done, and reports how it
 * ended: served, or by which failure.
 *
 * When a client disconnects, workerd stops the handler where it stands, and the call would never be refunded.
 * Under `waitUntil` work may continue for up to 30 s, so all of it is put there, including the admission.
 * `request.signal` reports the disconnect only with the compatibility flag `enable_request_signal`. If an
 * isolate dies, its calls are never settled; the meter drops them by itself.
 *
 * A call stays counted if the client disconnects while the response body is being sent: the work was done,
 * and the headers said that it was charged.
 *
 * @throws ApiError as `admitCall`
 */
export const metered: MiddlewareHandler<Env> = async (c, next) => {
  const call = countCall(c, next);
  keepAlive(c, call);
  await call;
};

async function countCall(c: Context<Env>, next: () => Promise<void>): Promise<void> {
  const call = await admitCall(c);
  try {
    await next();
  } catch (error) {
    await call.end(toApiError(error).status);
    throw error;
  }
  await call.end(c.res.status);
}

/** A call with an idempotency key, of which this request is one attempt. */
interface RetriedCall {
  /** 53 bits of the hash of its idempotency key. */
  readonly hash: number;
  /**
   * Whether this attempt has the same content as the earlier ones; if not, it has failed.
   * @throws MeterUnreachable
   */
  isSame(content: number): Promise<boolean>;
}

/** An admitted call. The meter must be told how it ended. */
export interface MeteredCall {
  /**
   * Settles a served call; refunds one that failed or whose client has gone. Updates the rate limit status of
   * the response. Never throws.
   * @param status HTTP status of the answer, even if the error is sent in another form
   */
  end(status: number): Promise<void>;
}

/**
 * Asks the caller's meter to admit one call. Sets the rate limit status of the response, for refused calls
 * too.
 * @throws ApiError invalid_api_key, rate_limit_exceeded, quota_exceeded, or overloaded when the meter can't
 * be reached; bad_request for an unusable Idempotency-Key, or when the client has gone meanwhile, which
 * nobody receives
 */
export async function admitCall(c: Context<Env>): Promise<MeteredCall> {
  callArrived(c.req.raw.signal);
  const caller = await countedCallerOf(c);
  const meter = new CallerMeter(c.env, caller);
  const callId = randomCallId();
  const hash = caller.keyId === null ? null : await retryHash(c, caller.keyId);
  c.set('rateLimitStatus', unusedRateLimitStatus(caller.plan, Date.now()));
  const decision = await meter
    .admit(callId, (id) => issuedAccount(c.env.CALL_METER, id), hash)
    .catch((error) => {
      // The caller gets 503, which must not count. If the meter admitted the call nevertheless, it is
      // refunded.
      if (error instanceof MeterUnreachable && error.mayBeDone)
        keepAlive(c, meter.refund(callId, 'server_error'));
      throw error;
    });
  c.set('rateLimitStatus', rateLimitStatus(caller.plan, decision.reading, decision.billable));
  if (decision.outcome !== 'admitted') throw refusedCallError(c, decision, caller);
  c.set('admittedAt', Date.now());
  if (caller.keyId !== null) keepAlive(c, enlistUsedKey(c.env.CALL_METER, caller.keyId));
  if (hash !== null) {
    const isSame = (content: number) => meter.isSameContent(callId, content);
    c.set('retriedCall', { hash, isSame });
  }
  const { signal } = c.req.raw;
  const end = async (status: number) => {
    const failure = signal.aborted ? 'aborted' : failureOf(status);
    if (failure) c.set('rateLimitStatus', await refundedStatus(meter, callId, failure, caller, decision));
    // Anonymous calls are in no monthly counter, so there is nothing to settle.
    else if (caller.kind === 'key')
      keepAlive(
        c,
        answerSent(c).then(() => meter.settle(callId)),
      );
  };
  if (signal.aborted) {
    await end(CLIENT_GONE);
    throw new ApiError('bad_request', 'The client has closed the connection.');
  }
  return { end };
}

/** Status that no client receives: nginx's code for a client that closed the request. */
const CLIENT_GONE = 499;

function failureOf(status: number): CallFailure | null {
  if (status < 400) return null;
  return status < 500 ? 'refused' : 'server_error';
}

/**
 * Refunds a failed call and returns the new status. If the meter can't be reached, the call is never settled
 * and so never charged: the headers may already say so.
 */
async function refundedStatus(
  meter: CallerMeter,
  callId: number,
  failure: CallFailure,
  caller: CountedCaller,
  decision: CallDecision,
): Promise<RateLimitStatus> {
  try {
    const { billable, reading: usage } = await meter.refund(callId, failure);
    return rateLimitStatus(caller.plan, usage, billable);
  } catch {
    const { reading: usage } = decision;
    return rateLimitStatus(caller.plan, decision.billable ? withoutCharge(usage) : usage, false);
  }
}

/** The usage less one billable call at the price of the plan. */
function withoutCharge(usage: CallerUsage): CallerUsage {
  const billableCalls = usage.billableCalls - 1;
  if (!usage.key) return { ...usage, billableCalls };
  const price = plans[planOf(usage.key)].millsPerBillableCall ?? 0;
  return { ...usage, billableCalls, key: { ...usage.key, mills: usage.key.mills - price } };
}

function refusedCallError(c: Context<Env>, decision: CallDecision, { kind, terms }: CountedCaller): ApiError {
  const { outcome, retryAfterSeconds, reading: usage } = decision;
  if (outcome === 'tried_too_often') {
    const rule = `This Idempotency-Key was used for ${MAX_TRIES} calls within a day.`;
    return new ApiError('bad_request', `${rule} Use a new one for each picture.`);
  }
  if (outcome !== 'rate_limited' && outcome !== 'cap_reached' && outcome !== 'admitted')
    return refusedKeyError(c, outcome);
  if (outcome === 'cap_reached') {
    const cap = `the cap of ${usage.key?.cap ?? terms.cap} billable calls a month`;
    return new ApiError(
      'quota_exceeded',
      `This API key has reached ${cap}; it starts anew with the next UTC month.`,
    );
  }
  const calls = usage.limit === 1 ? '1 call' : `${usage.limit} calls`;
  const whose = kind === 'key' ? 'This API key may make' : 'Without an API key you may make';
  const message = `${whose} ${calls} per rolling 60 seconds. Try again in ${retryAfterSeconds} s.`;
  return new ApiError('rate_limit_exceeded', message, { retryAfterSeconds });
}

/**
 * Most milliseconds that a settlement waits for a client to read its answer: the runtime ends background work
 * 30 s after a client has gone.
 */
const MOST_ANSWERING_MS = 1000;
/** Milliseconds for the runtime to pass on the last pieces after it has accepted them. */
const HANDING_ON_MS = 5;

/**
 * Waits until the answer is sent, for at most MOST_ANSWERING_MS. A self-hosted meter writes to disk on the
 * same thread, which would delay the client.
 */
async function answerSent(c: Context<Env>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, MOST_ANSWERING_MS);
  });
  await Promise.race([c.get('sending'), late]);
  clearTimeout(timer);
  await scheduler.wait(HANDING_ON_MS);
  callEnded(c.req.raw.signal);
}

/**
 * Lets work continue after the response is sent or the client has gone. Errors are left to whoever awaits
 * `work`.
 */
function keepAlive(c: Context<Env>, work: Promise<unknown>): void {
  c.executionCtx.waitUntil(work.catch(() => {}));
}

/**
 * Milliseconds since the call was admitted. The clock of a Worker advances only with I/O, so a round trip to
 * the caller's meter comes first; if that fails, the clock is read as it is.
 * @returns a whole number, at least 0; 0 for calls that are not metered
 */
export async function elapsedMs(c: Context<Env>): Promise<number> {
  const admittedAt = c.get('admittedAt');
  const caller = await callerOf(c);
  if (admittedAt === undefined || caller.kind === 'refused') return 0;
  await new CallerMeter(c.env, caller).tick().catch(() => {});
  return Math.max(0, Date.now() - admittedAt);
}
