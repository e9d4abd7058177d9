import type { AdmittedCall, Journal, MeterState, MonthCount } from './journal.ts';
import { monthAt } from './months.ts';
import { FREE_CALLS_PER_WINDOW, WINDOW_MS } from './plans.ts';
import { isWithinWindow, secondsUntil, windowResetAt } from './rolling_window.ts';

/** What a caller may do: the numbers of the plan, and the cap of the key. */
export interface Terms {
  /** Calls in any rolling window. */
  readonly limit: number;
  /** Billable calls a UTC month; null for callers who are never billed, whose calls are not counted. */
  readonly cap: number | null;
}

/** A caller's use of the window and of the month at one moment. */
export interface UsageSnapshot {
  readonly limit: number;
  /** Calls that would be admitted now; 0 for a revoked key. */
  readonly remaining: number;
  /** Unix milliseconds when one more call than now will be possible; equal to `now` in an empty window. */
  readonly resetAt: number;
  /** When the snapshot was taken, Unix milliseconds by the meter's clock. */
  readonly now: number;
  /** The UTC month (see months.ts) and its counters. */
  readonly month: number;
  readonly calls: number;
  readonly billableCalls: number;
  readonly revoked: boolean;
}

type Outcome = 'admitted' | 'revoked' | 'rate_limited' | 'cap_reached';

/** What was decided about one call. `CallMeter` sends it to the Worker: see there about its member names. */
export interface Decision {
  readonly outcome: Outcome;
  /** Whether this call is charged; false unless it is admitted. */
  readonly billable: boolean;
  /**
   * The smallest number of whole seconds after which the rate limit admits a call; 0 unless rate limited.
   */
  readonly retryAfterSeconds: number;
  /** The caller's usage after the decision. */
  readonly reading: UsageSnapshot;
}

/** Failed calls refunded to one caller in any rolling window; further ones count (docs/decisions.md). */
export const REFUNDS_PER_WINDOW = 20;

/**
 * How long the outcome of a counted call may stay unknown. Far longer than any call takes (25 MB over a slow
 * line and a minute of CPU): it only delays the correction of calls whose isolate died.
 */
export const SETTLE_WITHIN_MS = 3_600_000;

/** Months of counters kept for the operator's invoices: the current one and twelve before it. */
const MONTHS_KEPT = 13;

/**
 * The calls of one caller: rolling window, free calls, month counters, cap. Pure apart from its journal: time
 * is always an argument, and a new meter built from the journal's state behaves as this one would.
 *
 * If the clock steps back, times that now lie in the future are set to the present. So nobody waits longer
 * than a window, and no window holds more calls than the limit.
 */
export class Meter {
  readonly #calls: Map<number, AdmittedCall>;
  readonly #refunds: Map<number, number>;
  readonly #months: Map<number, MonthCount>;
  readonly #journal: Journal;
  #revokedAt: number | null;

  constructor(state: MeterState, journal: Journal) {
    const oldestFirst = [...state.calls].sort((a, b) => a.at - b.at);
    this.#calls = new Map(oldestFirst.map((call) => [call.id, call]));
    this.#refunds = new Map(state.refunds);
    this.#months = new Map(state.months);
    this.#revokedAt = state.revokedAt;
    this.#journal = journal;
  }

  get revokedAt(): number | null {
    return this.#revokedAt;
  }

  /**
   * Decides on one call and counts it if admitted. Refused if the key is revoked, else if the rate limit is
   * reached, else if the monthly cap is reached. A repeated `id` gets its first decision again.
   */
  admit(id: number, terms: Terms, now: number): Decision {
    this.expire(now);
    const known = this.#calls.get(id);
    if (known) return this.#decision('admitted', terms, now, known.billable);
    if (this.#revokedAt !== null) return this.#decision('revoked', terms, now);
    const window = this.#callsInWindow(now);
    if (window.length >= terms.limit) return this.#decision('rate_limited', terms, now);
    const isCounted = terms.cap !== null;
    const month = isCounted ? monthAt(now) : 0;
    if (isCounted && this.#count(month).billable >= terms.cap)
      return this.#decision('cap_reached', terms, now);
    const freeCalls = window.filter(({ billable }) => !billable).length;
    const call: AdmittedCall = {
      id,
      at: now,
      month,
      billable: isCounted && freeCalls >= FREE_CALLS_PER_WINDOW,
      settleBy: now + (isCounted ? SETTLE_WITHIN_MS : WINDOW_MS),
    };
    this.#put(call);
    this.#addToMonth(call, 1);
    return this.#decision('admitted', terms, now, call.billable);
  }

  /**
   * Undoes a failed call: it leaves the window and the counters, and is not charged. More than
   * `REFUNDS_PER_WINDOW` of them count instead, as if served.
   * @returns whether the call is still charged after this
   */
  refund(id: number, now: number): boolean {
    this.expire(now);
    const call = this.#calls.get(id);
    if (!call || call.settleBy === 0) return call?.billable ?? false;
    if (this.#refunds.size >= REFUNDS_PER_WINDOW) {
      this.#put({ ...call, settleBy: 0 });
      return call.billable;
    }
    this.#delete(call);
    this.#addToMonth(call, -1);
    this.#refunds.set(id, now);
    this.#journal.putRefund(id, now);
    return false;
  }

  /** Records that the call was served: it can't be refunded any more. */
  settle(id: number, now: number): void {
    this.expire(now);
    const call = this.#calls.get(id);
    if (!call) return;
    this.#put({ ...call, settleBy: 0 });
    this.expire(now);
  }

  /** Revokes the key for good. Repeated, it keeps the time of the first. */
  revoke(now: number): void {
    if (this.#revokedAt !== null) return;
    this.#revokedAt = now;
    this.#journal.putRevocation(now);
  }

  snapshot(terms: Terms, now: number): UsageSnapshot {
    this.expire(now);
    const times = this.#callsInWindow(now).map(({ at }) => at);
    const month = monthAt(now);
    const count = this.#count(month);
    const revoked = this.#revokedAt !== null;
    return {
      limit: terms.limit,
      remaining: revoked ? 0 : Math.max(0, terms.limit - times.length),
      resetAt: windowResetAt(times, terms.limit, now),
      now,
      month,
      calls: count.calls,
      billableCalls: count.billable,
      revoked,
    };
  }

  /** Counters of all months kept, oldest first. */
  history(now: number): { month: number; count: MonthCount }[] {
    this.expire(now);
    const kept = [...this.#months].map(([month, count]) => ({ month, count }));
    return kept.sort((a, b) => a.month - b.month);
  }

  /** Deletes what no longer matters at `now`. */
  expire(now: number): void {
    for (const [id, at] of this.#refunds) {
      if (at > now) {
        this.#refunds.set(id, now);
        this.#journal.putRefund(id, now);
      } else if (!isWithinWindow(at, now)) {
        this.#refunds.delete(id);
        this.#journal.deleteRefund(id);
      }
    }
    for (const call of this.#calls.values()) {
      if (call.at > now) this.#put(movedTo(call, now));
      else if (!isWithinWindow(call.at, now) && call.settleBy <= now) {
        this.#delete(call);
        if (call.settleBy !== 0) this.#addToMonth(call, -1);
      }
    }
  }

  /**
   * When `expire` should be called next; null when nothing is left to expire. While anything is in the window
   * this is the end of the window, so that one wake-up clears all of it.
   */
  nextExpiry(now: number): number | null {
    const inWindow = [...this.#callsInWindow(now).map(({ at }) => at), ...this.#refunds.values()];
    if (inWindow.length > 0) return Math.max(...inWindow) + WINDOW_MS;
    const unsettled = [...this.#calls.values()].map(({ settleBy }) => settleBy);
    return unsettled.length > 0 ? Math.min(...unsettled) : null;
  }

  /** Whether nothing is remembered, as if the meter had never been used. */
  get isEmpty(): boolean {
    const kept = this.#calls.size + this.#refunds.size + this.#months.size;
    return kept === 0 && this.#revokedAt === null;
  }

  #callsInWindow(now: number): AdmittedCall[] {
    return [...this.#calls.values()].filter(({ at }) => isWithinWindow(at, now));
  }

  #decision(outcome: Outcome, terms: Terms, now: number, billable = false): Decision {
    const reading = this.snapshot(terms, now);
    const retryAfterSeconds = outcome === 'rate_limited' ? secondsUntil(reading.resetAt, now) : 0;
    return { outcome, billable, retryAfterSeconds, reading };
  }

  #count(month: number): MonthCount {
    return this.#months.get(month) ?? { calls: 0, billable: 0 };
  }

  /** Adds a call to its month's counters, or (`by` -1) takes it off again; drops months that are too old. */
  #addToMonth(call: AdmittedCall, by: 1 | -1): void {
    if (call.month === 0) return;
    if (by === -1 && !this.#months.has(call.month)) return;
    const { calls, billable } = this.#count(call.month);
    const count = { calls: calls + by, billable: billable + (call.billable ? by : 0) };
    this.#months.set(call.month, count);
    this.#journal.putMonth(call.month, count);
    for (const month of this.#months.keys()) {
      if (month > call.month - MONTHS_KEPT) continue;
      this.#months.delete(month);
      this.#journal.deleteMonth(month);
    }
  }

  #put(call: AdmittedCall): void {
    this.#calls.set(call.id, call);
    this.#journal.putCall(call);
  }

  #delete(call: AdmittedCall): void {
    this.#calls.delete(call.id);
    this.#journal.deleteCall(call.id);
  }
}

/** The same call as if made at `now`; its settle deadline moves by the same distance. */
function movedTo(call: AdmittedCall, now: number): AdmittedCall {
  const settleBy = call.settleBy === 0 ? 0 : call.settleBy - (call.at - now);
  return { ...call, at: now, settleBy };
}
