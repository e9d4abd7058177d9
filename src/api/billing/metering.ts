import type { Context, MiddlewareHandler } from 'hono';
import type { CallFailure } from '../../metering/journal.ts';
import { planOf } from '../../metering/key_account.ts';
import type { CallDecision, CallerUsage } from '../../metering/meter_answers.ts';
import { plans } from '../../metering/plans.ts';
import { callHasCome, callHasEnded } from '../../time_slice.ts';
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
 * Middleware that counts one call: asks the meter to admit it before any work is done, and tells it how the
 * call ended: served, or by which failure.
 *
 * When a client disconnects, workerd stops the handler where it stands, and the call would never be refunded.
 * Under `waitUntil` the work may go on for up to 30 s, so all of it is put there, the admission included.
 * `request.signal` reports the disconnect only with the compatibility flag `enable_request_signal`. A call
 * whose isolate dies is never settled, and the meter takes it off by itself.
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

/** A call that may be tried several times, of which this is one. */
interface RetriedCall {
  /** 53 bits of the hash of its idempotency key. */
  readonly hash: number;
  /**
   * Whether this try is of the same content as those before; if not, it has failed by this.
   * @throws MeterUnreachable
   */
  isSame(content: number): Promise<boolean>;
}

/** A call that was admitted, and whose end the meter must be told. */
export interface MeteredCall {
  /**
   * Settles a served call, refunds a failed one or one whose client has gone; sets the rate limit status of
   * the response accordingly. Never throws.
   * @param status of the answer as HTTP has it, also where the error is sent in another form
   */
  end(status: number): Promise<void>;
}

/**
 * Asks the caller's meter to admit one call. Sets the rate limit status of the response, refused ones too.
 * @throws ApiError invalid_api_key, rate_limit_exceeded, quota_exceeded, or overloaded when the meter can't
 * be reached; bad_request for an unusable Idempotency-Key, and, which nobody receives, if the client has gone
 * by then
 */
export async function admitCall(c: Context<Env>): Promise<MeteredCall> {
  callHasCome(c.req.raw.signal);
  const caller = await countedCallerOf(c);
  const meter = new CallerMeter(c.env, caller);
  const callId = randomCallId();
  const hash = caller.keyId === null ? null : await retryHash(c, caller.keyId);
  c.set('rateLimitStatus', unusedRateLimitStatus(caller.plan, Date.now()));
  const decision = await meter
    .admit(callId, (id) => issuedAccount(c.env.CALL_METER, id), hash)
    .catch((error) => {
      // The caller is told 503, which takes no place: one that was taken nevertheless is given back.
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
    // Anonymous calls are in no month's counters, so there is nothing to settle.
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
 * Refunds a failed call. If the meter can't be reached, the call is never settled and so never charged: the
 * headers may say so already.
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
 * Most milliseconds that a settlement waits for a client that reads its answer: the runtime ends what goes on
 * 30 s after a client has gone.
 */
const MOST_ANSWERING_MS = 1000;
/** Milliseconds in which the runtime hands on the last pieces, once it has taken them. */
const HANDING_ON_MS = 5;

/**
 * Waits until the answer is sent, or until it takes long. A counter beside the Worker writes to its disk on
 * the same thread: the client would wait for that, too.
 */
async function answerSent(c: Context<Env>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, MOST_ANSWERING_MS);
  });
  await Promise.race([c.get('sending'), late]);
  clearTimeout(timer);
  await scheduler.wait(HANDING_ON_MS);
  callHasEnded(c.req.raw.signal);
}

/** Lets work go on after the response is sent or the client has gone. Its errors are left to its awaiter. */
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
