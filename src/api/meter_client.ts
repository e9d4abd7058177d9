import type { CallMeter } from '../metering/call_meter.ts';
import type { Decision, UsageSnapshot } from '../metering/meter.ts';
import type { CountedCaller } from './caller.ts';
import { ApiError } from './errors.ts';

/** Seconds a caller is asked to wait while a meter can't be reached; a restarted object is back sooner. */
const UNREACHABLE_RETRY_SECONDS = 2;

type MeterStub = DurableObjectStub<CallMeter>;

/**
 * One request to a meter. If it fails it is tried once more with a new stub: every deployment restarts
 * objects, a stub that failed once stays broken, and all methods of a meter are idempotent.
 * @throws ApiError overloaded, without the cause
 */
export async function askMeter<T>(
  namespace: DurableObjectNamespace<CallMeter>,
  name: string,
  request: (stub: MeterStub) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request(namespace.getByName(name));
    } catch {
      if (attempt === 1) continue;
      throw new ApiError(
        'overloaded',
        'The call counter can not be reached; nothing was charged. Try again shortly.',
        {
          retryAfterSeconds: UNREACHABLE_RETRY_SECONDS,
        },
      );
    }
  }
}

/** The meter of one caller. All methods throw ApiError overloaded when it can't be reached. */
export class CallerMeter {
  readonly #namespace: DurableObjectNamespace<CallMeter>;
  readonly #caller: CountedCaller;

  constructor(namespace: DurableObjectNamespace<CallMeter>, caller: CountedCaller) {
    this.#namespace = namespace;
    this.#caller = caller;
  }

  admit(callId: number): Promise<Decision> {
    const { terms, facts } = this.#caller;
    return this.#ask(async (stub) => await stub.admit(callId, terms, facts));
  }

  refund(callId: number): Promise<{ billable: boolean; reading: UsageSnapshot }> {
    return this.#ask(async (stub) => await stub.giveBack(callId, this.#caller.terms));
  }

  settle(callId: number): Promise<void> {
    return this.#ask(async (stub) => await stub.settle(callId));
  }

  peek(): Promise<UsageSnapshot> {
    return this.#ask(async (stub) => await stub.peek(this.#caller.terms));
  }

  tick(): Promise<void> {
    return this.#ask(async (stub) => await stub.tick());
  }

  #ask<T>(request: (stub: MeterStub) => Promise<T>): Promise<T> {
    return askMeter(this.#namespace, this.#caller.meterName, request);
  }
}

/** A new call id: 53 random bits, so that no two calls of a caller share one. */
export function randomCallId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}
