import type { CallMeter } from '../../metering/call_meter.ts';
import type { CallFailure } from '../../metering/journal.ts';
import type { KeyAccount } from '../../metering/key_account.ts';
import type { CallDecision, CallerUsage, KeyUsage } from '../../metering/meter_answers.ts';
import { ApiError } from '../answers/errors.ts';
import type { CountedCaller } from '../caller/caller.ts';
import type { Bindings } from '../env.ts';
import { timed } from '../metrics.ts';
import { type CallEnd, UndeliveredEnds } from './undelivered_ends.ts';

/**
 * Seconds after which a caller should retry when a meter can't be reached; a restarted object is back sooner.
 */
const UNREACHABLE_RETRY_SECONDS = 2;
/** Milliseconds for all attempts together, after which a meter counts as unreachable. */
const TIME_LIMIT_MS = 5000;
/** The same limit for a round trip that only serves to read the clock. */
const TICK_LIMIT_MS = 500;
const MAX_ATTEMPTS = 3;
/** Upper bound in milliseconds of the pause before the second attempt; it doubles with each. */
const FIRST_BACKOFF_MS = 100;

type MeterStub = DurableObjectStub<CallMeter>;

/**
 * Ends of calls made with a key. Those of anonymous calls are dropped: nothing about them outlives the
 * window.
 */
const undelivered = new UndeliveredEnds();

/** How long `askMeter` tries, and its source of randomness. */
interface Patience {
  readonly timeLimitMs?: number;
  /** Returns a number from 0 to below 1. */
  readonly random?: () => number;
}

/** The answer to a caller whose meter can't be reached. */
export class MeterUnreachable extends ApiError {
  /** Whether the meter may have done what it was asked: the answer was lost, or did not come in time. */
  readonly mayBeDone: boolean;

  constructor(mayBeDone: boolean) {
    super('overloaded', 'The call counter can not be reached; nothing was charged. Try again shortly.', {
      retryAfterSeconds: UNREACHABLE_RETRY_SECONDS,
    });
    this.mayBeDone = mayBeDone;
  }
}

/**
 * Asks a meter one question. First it delivers the ends of earlier calls that the meter could not be told
 * before.
 *
 * A transient failure is retried with a new stub, since a stub that failed stays broken, and after a random
 * pause, since every deployment restarts all objects at once ("full jitter",
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/). All methods of a meter are
 * idempotent. An overloaded object is not retried: that would add to its load. For the properties `retryable`
 * and `overloaded` see https://developers.cloudflare.com/durable-objects/best-practices/error-handling/.
 * @throws MeterUnreachable, without the cause, at the latest when the time limit has passed
 */
export async function askMeter<T>(
  namespace: DurableObjectNamespace<CallMeter>,
  name: string,
  request: (stub: MeterStub) => Promise<T>,
  { timeLimitMs = TIME_LIMIT_MS, random = Math.random }: Patience = {},
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const outOfTime = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MeterUnreachable(true)), timeLimitMs);
  });
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        if (undelivered.size > 0) {
          await Promise.race([undelivered.tell(name, () => namespace.getByName(name)), outOfTime]);
        }
        return await Promise.race([request(namespace.getByName(name)), outOfTime]);
      } catch (error) {
        if (error instanceof MeterUnreachable) throw error;
        if (!isTransient(error) || attempt === MAX_ATTEMPTS) throw new MeterUnreachable(isTransient(error));
      }
      const pauseMs = random() * FIRST_BACKOFF_MS * 2 ** (attempt - 1);
      await Promise.race([new Promise((done) => setTimeout(done, pauseMs)), outOfTime]);
    }
  } finally {
    clearTimeout(timer);
  }
}

function isTransient(error: unknown): boolean {
  const { retryable, overloaded } = (error ?? {}) as { retryable?: unknown; overloaded?: unknown };
  return retryable === true && overloaded !== true;
}

/** Looks up a key as it was issued; null for one that never was. */
type FindIssued = (keyId: string) => Promise<KeyAccount | null>;

/** The meter of one caller. All methods throw MeterUnreachable when it can't be reached. */
export class CallerMeter {
  readonly #namespace: DurableObjectNamespace<CallMeter>;
  readonly #caller: CountedCaller;

  constructor({ CALL_METER }: Pick<Bindings, 'CALL_METER'>, caller: CountedCaller) {
    this.#namespace = CALL_METER;
    this.#caller = caller;
  }

  /**
   * @param findIssued called once per key, at its first call; for forged keys at every call
   * @param hash of the idempotency key; null without one
   */
  async admit(callId: number, findIssued: FindIssued, hash: number | null): Promise<CallDecision> {
    const { terms, facts } = this.#caller;
    const admit = (issued: KeyAccount | null) =>
      this.#ask<CallDecision>(async (stub) => await stub.admit(callId, terms, facts, { issued }, hash));
    const decision = await admit(null);
    const issued = decision.outcome === 'unissued' ? await this.#issued(findIssued) : null;
    return issued ? admit(issued) : decision;
  }

  async refund(callId: number, failure: CallFailure): Promise<{ billable: boolean; reading: CallerUsage }> {
    const { terms } = this.#caller;
    return this.#end(callId, async (stub) => await stub.giveBack(callId, terms, failure));
  }

  /** Whether this attempt has the same content as the first attempt at the call. */
  isSameContent(callId: number, content: number): Promise<boolean> {
    return this.#ask<boolean>(async (stub) => await stub.isSameContent(callId, content));
  }

  settle(callId: number): Promise<void> {
    return this.#end(callId, async (stub) => await stub.settle(callId));
  }

  /** @param findIssued as for `admit` */
  async peek(findIssued: FindIssued): Promise<CallerUsage> {
    const { terms, facts } = this.#caller;
    const peek = (issued: KeyAccount | null) =>
      this.#ask<CallerUsage>(async (stub) => await stub.peek(terms, facts, { issued }));
    const usage = await peek(null);
    const issued = usage.refusal === 'unissued' ? await this.#issued(findIssued) : null;
    return issued ? peek(issued) : usage;
  }

  /**
   * The usage of all months kept; null for a key that has made no call yet.
   * @param daysOf a UTC month to report by day as well; null for none
   */
  usage(daysOf: number | null): Promise<KeyUsage | null> {
    return this.#ask<KeyUsage | null>(async (stub) => await stub.usage(null, daysOf));
  }

  /** A round trip to make the Worker's clock advance; any I/O does. */
  async tick(): Promise<void> {
    await this.#ask(async (stub) => await stub.tick(), { timeLimitMs: TICK_LIMIT_MS });
  }

  async #issued(findIssued: FindIssued): Promise<KeyAccount | null> {
    const { keyId } = this.#caller;
    return keyId === null ? null : findIssued(keyId);
  }

  async #end<T>(callId: number, end: CallEnd<T>): Promise<T> {
    const { keyId, meterName } = this.#caller;
    try {
      return await this.#ask(end);
    } catch (error) {
      if (keyId !== null) undelivered.keep(callId, meterName, end);
      throw error;
    }
  }

  #ask<T>(request: (stub: MeterStub) => Promise<T>, patience?: Patience): Promise<T> {
    return timed('meter', () => askMeter(this.#namespace, this.#caller.meterName, request, patience));
  }
}

/** A new call id: 53 random bits, so that no two calls of a caller share one. */
export function randomCallId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}
