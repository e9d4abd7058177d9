import type { CallMeter } from '../metering/call_meter.ts';
import type { Reading, Verdict } from '../metering/meter.ts';
import type { CountedCaller } from './caller.ts';
import { ApiError } from './errors.ts';

/**
 * Seconds a caller is asked to wait while a counter can't be reached; objects that move or restart are back
 * sooner.
 */
const UNREACHABLE_RETRY_SECONDS = 2;

type MeterStub = DurableObjectStub<CallMeter>;

/**
 * One request to a meter. Tried a second time on a fresh stub when it fails, since objects are restarted by
 * every deployment and a stub that failed once stays broken; every method of a meter may be repeated without
 * harm.
 * @throws ApiError overloaded, with nothing of what went wrong
 */
export async function askMeter<T>(
  namespace: DurableObjectNamespace<CallMeter>,
  name: string,
  question: (stub: MeterStub) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await question(namespace.getByName(name));
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

  admit(callId: number): Promise<Verdict> {
    const { terms, facts } = this.#caller;
    return this.#ask(async (stub) => await stub.admit(callId, terms, facts));
  }

  giveBack(callId: number): Promise<{ billable: boolean; reading: Reading }> {
    return this.#ask(async (stub) => await stub.giveBack(callId, this.#caller.terms));
  }

  settle(callId: number): Promise<void> {
    return this.#ask(async (stub) => await stub.settle(callId));
  }

  peek(): Promise<Reading> {
    return this.#ask(async (stub) => await stub.peek(this.#caller.terms));
  }

  tick(): Promise<void> {
    return this.#ask(async (stub) => await stub.tick());
  }

  #ask<T>(question: (stub: MeterStub) => Promise<T>): Promise<T> {
    return askMeter(this.#namespace, this.#caller.meterName, question);
  }
}

/** A call's id: 53 random bits, so that two calls of one caller never share one. */
export function randomCallId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}
