import { type CallFailure, emptyMeterState, type Journal } from './journal.ts';
import { type Decision, Meter, type Terms, type UsageSnapshot } from './meter.ts';
import { WINDOW_MS } from './plans.ts';

/**
 * The most networks remembered at one time, of 1.5 to 3.4 KB each: enough for 68 calls a second during a
 * whole window, each from another network. Beyond this the oldest is forgotten, which gives it one more call.
 */
export const MAX_NETWORKS = 4096;

/**
 * The windows of anonymous networks, in the memory of a self-hosted server's counting process: there an
 * emptied object would leave its file behind. They are stored nowhere: a restart forgets them.
 *
 * The rules are those of `CallMeter`, but the clock is the caller's. There are only numbers and functions
 * over numbers, so any request may read what another one left.
 */
export class AnonymousWindows {
  /** By the name that the network's object would have, ordered by the end of their windows. */
  readonly #meters = new Map<string, Meter>();

  /** How many networks are remembered. */
  get size(): number {
    return this.#meters.size;
  }

  /** As `CallMeter.admit`, for callers whose terms have no cap. */
  admit(name: string, id: number, terms: Terms, now: number): Decision {
    const meter = this.#meterOf(name, now);
    const decision = meter.admit(id, terms, now);
    this.#keep(name, meter, now);
    return decision;
  }

  /** As `CallMeter.giveBack`. */
  giveBack(
    name: string,
    id: number,
    terms: Terms,
    failure: CallFailure,
    now: number,
  ): { billable: boolean; reading: UsageSnapshot } {
    const meter = this.#meterOf(name, now);
    const billable = meter.refund(id, failure, now);
    this.#keep(name, meter, now);
    return { billable, reading: meter.snapshot(terms, now) };
  }

  /** Forgets every network whose window has passed. */
  expire(now: number): void {
    for (const [name, meter] of this.#meters) {
      meter.expire(now);
      if (!meter.isEmpty) return;
      this.#meters.delete(name);
    }
  }

  #meterOf(name: string, now: number): Meter {
    this.expire(now);
    return this.#meters.get(name) ?? new Meter(emptyMeterState, unwritten);
  }

  #keep(name: string, meter: Meter, now: number): void {
    const isNew = !this.#meters.has(name);
    if (meter.isEmpty || meter.nextExpiry(now) === now + WINDOW_MS) this.#meters.delete(name);
    if (meter.isEmpty) return;
    const [oldest] = this.#meters.keys();
    if (isNew && oldest !== undefined && this.#meters.size >= MAX_NETWORKS) this.#meters.delete(oldest);
    this.#meters.set(name, meter);
  }
}

/** The journal of a meter that lives in memory only. Callers without a cap have no tries to be found. */
const unwritten: Journal = {
  putCall() {},
  deleteCall() {},
  putRefund() {},
  deleteRefund() {},
  putMonth() {},
  deleteMonth() {},
  putDay() {},
  deleteDay() {},
  putRevocation() {},
  putTry() {},
  deleteTry() {},
  deleteTriesUntil() {},
  moveTriesBackTo() {},
  findTry: () => undefined,
  findTries: () => [],
  oldestTry: () => null,
  newestTry: () => null,
  putContent() {},
  deleteContent() {},
  findContent: () => undefined,
};
