import type { CallMeter } from '../../metering/call_meter.ts';

type MeterStub = DurableObjectStub<CallMeter>;

/** Tells a meter how one call ended. Telling it again changes nothing. */
export type CallEnd<T = unknown> = (stub: MeterStub) => Promise<T>;

/** Ends kept in an isolate: more than calls that run at one time, so that only a long outage loses some. */
const MAX_ENDS = 256;

/**
 * How calls ended whose meters could not be told, as on a full disk: they are told before they are asked
 * again. Until then a call counts as it was admitted. An end that is never told is the meter's business: it
 * takes the call off after an hour, also one that was served (`SETTLE_WITHIN_MS`).
 *
 * Numbers and functions over numbers only, so that any request may tell what another one left.
 */
export class UndeliveredEnds {
  /** By the id of the call, the oldest first. */
  readonly #ends = new Map<number, { readonly meterName: string; readonly end: CallEnd }>();

  get size(): number {
    return this.#ends.size;
  }

  /** Keeps an end, in place of the oldest where there are too many. */
  keep(callId: number, meterName: string, end: CallEnd): void {
    const [oldest] = this.#ends.keys();
    if (oldest !== undefined && this.#ends.size >= MAX_ENDS) this.#ends.delete(oldest);
    this.#ends.set(callId, { meterName, end });
  }

  /** Tells a meter what is kept for it. What it can't be told now stays. Never throws. */
  async tell(meterName: string, stub: () => MeterStub): Promise<void> {
    const ends = [...this.#ends].filter(([, kept]) => kept.meterName === meterName);
    const told = ends.map(async ([callId, { end }]) => {
      await end(stub());
      this.#ends.delete(callId);
    });
    await Promise.allSettled(told);
  }
}
