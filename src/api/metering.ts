import type { Context, MiddlewareHandler } from 'hono';
import type { Decision } from '../metering/meter.ts';
import { type CountedCaller, callerOf } from './caller.ts';
import type { Env } from './env.ts';
import { ApiError } from './errors.ts';
import { CallerMeter, randomCallId } from './meter_client.ts';
import { type RateLimitStatus, rateLimitStatus } from './rate_limit_status.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Unix milliseconds by the isolate's clock, just after admission. Set for metered calls. */
    admittedAt: number | undefined;
  }
}

/**
 * Middleware that counts one call: asks the meter to admit it before any work is done, refunds it if it ends
 * in 4xx or 5xx or the client has disconnected by then, settles it if it was served.
 *
 * When a client disconnects, workerd stops the handler where it stands, and the call would never be refunded.
 * Under `waitUntil` the work may go on for up to 30 s, so all of it is put there, the admission included.
 * `request.signal` reports the disconnect only with the compatibility flag `enable_request_signal`. A call
 * whose isolate dies is never settled, and the meter takes it off by itself.
 *
 * A call stays counted if the client disconnects while the response body is being sent: the work was done,
 * and the headers said that it was charged.
 *
 * @throws ApiError invalid_api_key, rate_limit_exceeded, quota_exceeded, or overloaded when the meter can't
 * be reached
 */
export const metered: MiddlewareHandler<Env> = async (c, next) => {
  const caller = await callerOf(c);
  if (caller.kind === 'refused') throw new ApiError('invalid_api_key', 'This API key is unknown.');
  const call = countCall(c, caller, next);
  keepAlive(c, call);
  await call;
};

/** Status that no client receives: nginx's code for a client that closed the request. */
const CLIENT_GONE = 499;

async function countCall(c: Context<Env>, caller: CountedCaller, next: () => Promise<void>): Promise<void> {
  const meter = new CallerMeter(c.env.CALL_METER, caller);
  const callId = randomCallId();
  const decision = await meter.admit(callId);
  c.set('rateLimitStatus', rateLimitStatus(caller.plan, decision.reading, decision.billable));
  if (decision.outcome !== 'admitted') throw refusedCallError(decision, caller);
  c.set('admittedAt', Date.now());
  const isGone = () => c.req.raw.signal.aborted;
  let isServed = false;
  try {
    if (isGone()) c.res = new Response(null, { status: CLIENT_GONE });
    else await next();
    isServed = c.res.status < 400 && !isGone();
  } finally {
    if (!isServed) c.set('rateLimitStatus', await refundedStatus(meter, callId, caller, decision));
    // Anonymous calls are in no month's counters, so there is nothing to settle.
    else if (caller.kind === 'key') keepAlive(c, meter.settle(callId));
  }
}

/**
 * Refunds a failed call. If the meter can't be reached, the call is never settled and so never charged: the
 * headers may say so already.
 */
async function refundedStatus(
  meter: CallerMeter,
  callId: number,
  caller: CountedCaller,
  decision: Decision,
): Promise<RateLimitStatus> {
  try {
    const { billable, reading: usage } = await meter.refund(callId);
    return rateLimitStatus(caller.plan, usage, billable);
  } catch {
    const { reading: usage } = decision;
    const billableCalls = usage.billableCalls - Number(decision.billable);
    return rateLimitStatus(caller.plan, { ...usage, billableCalls }, false);
  }
}

function refusedCallError(decision: Decision, { kind, terms }: CountedCaller): ApiError {
  const { outcome, retryAfterSeconds, reading: usage } = decision;
  if (outcome === 'revoked') return new ApiError('invalid_api_key', 'This API key has been revoked.');
  if (outcome === 'cap_reached') {
    const cap = `the cap of ${terms.cap} billable calls a month`;
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
  await new CallerMeter(c.env.CALL_METER, caller).tick().catch(() => {});
  return Math.max(0, Date.now() - admittedAt);
}
