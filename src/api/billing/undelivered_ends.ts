import type { CallMeter } from '../../metering/call_meter.ts';

type MeterStub = DurableObjectStub<CallMeter>;

/** Tells a meter how one call ended. Idempotent. */
export type CallEnd<T = unknown> = (stub: MeterStub) => Promise<T>;

/**
 * Most ends kept in an isolate: more than the calls that run at one time, so only a long outage loses some.
 */
const MAX_ENDS = 256;

/**
 * Ends of calls that could not be reported to their meters, e.g. because of a full disk. They are delivered
 * before the meter is next asked. Until then a call counts as it was admitted. If an end is never delivered,
 * the meter drops the call after an hour, even one that was served (`SETTLE_WITHIN_MS`).
 *
 * Holds only numbers, and functions over numbers, so that any request may deliver what another one left.
 */
export class UndeliveredEnds {
  /** By call id, the oldest first. */
  readonly #ends = new Map<number, { readonly meterName: string; readonly end: CallEnd }>();

  get size(): number {
    return this.#ends.size;
  }

  /** Keeps an end; when there are too many, it replaces the oldest. */
  keep(callId: number, meterName: string, end: CallEnd): void {
    const [oldest] = this.#ends.keys();
    if (oldest !== undefined && this.#ends.size >= MAX_ENDS) this.#ends.delete(oldest);
    this.#ends.set(callId, { meterName, end });
  }

  /** Delivers the ends kept for a meter. What can't be delivered now stays. Never throws. */
  async tell(meterName: string, stub: () => MeterStub): Promise<void> {
    const ends = [...this.#ends].filter(([, kept]) => kept.meterName === meterName);
    const told = ends.map(async ([callId, { end }]) => {
      await end(stub());
      this.#ends.delete(callId);
    });
    await Promise.allSettled(told);
  }
}
