import type { Context, MiddlewareHandler } from 'hono';
import type { Verdict } from '../metering/meter.ts';
import { type CountedCaller, callerOf } from './caller.ts';
import type { Env } from './env.ts';
import { ApiError } from './errors.ts';
import { CallerMeter, randomCallId } from './meter_client.ts';
import { type Standing, standingFrom } from './standing.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Unix milliseconds by the isolate's clock, just after admission. Set on metered calls. */
    admittedAt: number | undefined;
  }
}

/**
 * Counts one call: admits it before anything heavy is done, gives it back when it ends in 4xx or 5xx or the
 * client has gone by then, settles it when it was served.
 *
 * What becomes of a client that goes away depends on the runtime (seen in workerd): without `waitUntil` the
 * handler is stopped where it stands and nobody gives the call back; with it, the work may go on for up to 30
 * s. So the whole of it is under `waitUntil`, from before the admission. `request.signal` tells of the
 * disconnect only with the compatibility flag `enable_request_signal`. A call whose isolate dies is never
 * settled, and the meter takes it off by itself.
 *
 * A response whose body is under way when the client goes stays counted: it was made, and its headers said
 * so.
 *
 * @throws ApiError invalid_api_key, rate_limit_exceeded, quota_exceeded, or overloaded when the counter can't
 * be reached
 */
export const metered: MiddlewareHandler<Env> = async (c, next) => {
  const caller = await callerOf(c);
  if (caller.kind === 'refused') throw new ApiError('invalid_api_key', 'This API key is unknown.');
  const call = countCall(c, caller, next);
  keepAlive(c, call);
  await call;
};

/** Seen by nobody; nginx's code for a client that closed the request. */
const CLIENT_GONE = 499;

async function countCall(c: Context<Env>, caller: CountedCaller, next: () => Promise<void>): Promise<void> {
  const meter = new CallerMeter(c.env.CALL_METER, caller);
  const callId = randomCallId();
  const admission = await meter.admit(callId);
  c.set('standing', standingFrom(caller.plan, admission.reading, admission.billable));
  if (admission.outcome !== 'admitted') throw refusal(admission, caller);
  c.set('admittedAt', Date.now());
  const isGone = () => c.req.raw.signal.aborted;
  let isServed = false;
  try {
    if (isGone()) c.res = new Response(null, { status: CLIENT_GONE });
    else await next();
    isServed = c.res.status < 400 && !isGone();
  } finally {
    if (!isServed) c.set('standing', await standingAfterFailure(meter, callId, caller, admission));
    // Calls of anonymous callers are in no counter, so there is nothing to settle.
    else if (caller.kind === 'key') keepAlive(c, meter.settle(callId));
  }
}

/**
 * Gives a call back. Should the counter be out of reach just now, the call is never settled and so never
 * charged: the headers may say so already.
 */
async function standingAfterFailure(
  meter: CallerMeter,
  callId: number,
  caller: CountedCaller,
  admission: Verdict,
): Promise<Standing> {
  try {
    const { billable, reading } = await meter.giveBack(callId);
    return standingFrom(caller.plan, reading, billable);
  } catch {
    const { reading } = admission;
    const billableCalls = reading.billableCalls - Number(admission.billable);
    return standingFrom(caller.plan, { ...reading, billableCalls }, false);
  }
}

function refusal({ outcome, retryAfterSeconds, reading }: Verdict, { kind, terms }: CountedCaller): ApiError {
  if (outcome === 'revoked') return new ApiError('invalid_api_key', 'This API key has been revoked.');
  if (outcome === 'cap_reached') {
    const cap = `the cap of ${terms.cap} billable calls a month`;
    return new ApiError(
      'quota_exceeded',
      `This API key has reached ${cap}; it starts anew with the next UTC month.`,
    );
  }
  const calls = reading.limit === 1 ? '1 call' : `${reading.limit} calls`;
  const whose = kind === 'key' ? 'This API key may make' : 'Without an API key you may make';
  const message = `${whose} ${calls} per rolling 60 seconds. Try again in ${retryAfterSeconds} s.`;
  return new ApiError('rate_limit_exceeded', message, { retryAfterSeconds });
}

/**
 * Lets work go on after the response is sent or the client is gone; what it throws is its awaiter's to
 * handle.
 */
function keepAlive(c: Context<Env>, work: Promise<unknown>): void {
  c.executionCtx.waitUntil(work.catch(() => {}));
}

/**
 * Milliseconds since the call was admitted. In Workers the clock stands still between I/O, so a round trip to
 * the caller's meter comes first; should it fail, what the clock says without it is the answer.
 * @returns a whole number, at least 0; 0 for calls that are not metered
 */
export async function elapsedMs(c: Context<Env>): Promise<number> {
  const admittedAt = c.get('admittedAt');
  const caller = await callerOf(c);
  if (admittedAt === undefined || caller.kind === 'refused') return 0;
  await new CallerMeter(c.env.CALL_METER, caller).tick().catch(() => {});
  return Math.max(0, Date.now() - admittedAt);
}
