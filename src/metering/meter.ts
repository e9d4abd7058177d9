import { AdmittedCalls } from './admitted_calls.ts';
import type { DaySpan } from './day_marks.ts';
import type { AdmittedCall, CallFailure, Journal, MeterState, MonthCount, Try } from './journal.ts';
import { MonthCounters } from './month_counters.ts';
import { monthAt } from './months.ts';
import { FREE_CALLS_PER_WINDOW, WINDOW_MS } from './plans.ts';
import { Refunds } from './refunds.ts';
import { MAX_TRIES, Retries } from './retries.ts';
import { secondsUntil, windowResetAt } from './rolling_window.ts';

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

type Outcome = 'admitted' | 'revoked' | 'rate_limited' | 'cap_reached' | 'tried_too_often';

/**
 * The decision about one call. `CallMeter` sends it to the Worker, so its member names must stay: see there.
 */
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

/**
 * How long the outcome of a counted call may stay unknown. Far longer than any call takes (25 MB over a slow
 * line and a minute of CPU): it only delays the correction of calls whose isolate died.
 */
export const SETTLE_WITHIN_MS = 3_600_000;

/**
 * The calls of one caller: rolling window, free calls, month counters, cap. Pure apart from its journal: time
 * is always an argument, and a new meter built from the journal's state behaves as this one would.
 *
 * If the clock steps back, times that now lie in the future are set to the present. So nobody waits longer
 * than a window, and no window holds more calls than the limit.
 */
export class Meter {
  readonly #calls: AdmittedCalls;
  readonly #refunds: Refunds;
  readonly #months: MonthCounters;
  readonly #retries: Retries;
  readonly #journal: Journal;
  #revokedAt: number | null;

  constructor(state: MeterState, journal: Journal) {
    this.#calls = new AdmittedCalls(state.calls, journal);
    this.#refunds = new Refunds(state.refunds, journal);
    this.#months = new MonthCounters(state.months, state.days, journal);
    this.#retries = new Retries(journal);
    this.#revokedAt = state.revokedAt;
    this.#journal = journal;
  }

  get revokedAt(): number | null {
    return this.#revokedAt;
  }

  /**
   * Decides on one call and counts it if admitted. Refused if the key is revoked, else if the rate limit is
   * reached, else if the monthly cap is reached. A repeated `id` gets its first decision again.
   *
   * A further try of a call (the same `hash` within `RETRY_MS`) takes a place in the window, but is neither
   * counted nor charged, whatever the cap. Its decision says whether the call that it repeats is charged.
   * @param hash of the idempotency key; null without one, and for callers whose calls are not counted
   */
  admit(id: number, terms: Terms, now: number, hash: number | null = null): Decision {
    this.expire(now);
    if (hash !== null) this.#retries.stepBackTo(now);
    const known = this.#calls.get(id);
    if (known) return this.#decision('admitted', terms, now, this.#isCharged(known, now));
    if (this.#revokedAt !== null) return this.#decision('revoked', terms, now);
    const window = this.#calls.inWindow;
    if (window.length >= terms.limit) return this.#decision('rate_limited', terms, now);
    const isCounted = terms.cap !== null;
    const tries = hash === null || !isCounted ? [] : this.#retries.of(hash, now);
    if (tries.length >= MAX_TRIES) return this.#decision('tried_too_often', terms, now);
    if (tries.length > 0) return this.#admitAgain(id, tries, terms, now);
    const month = isCounted ? monthAt(now) : 0;
    if (isCounted && this.#months.get(month).billable >= terms.cap)
      return this.#decision('cap_reached', terms, now);
    const freeCalls = window.filter(({ charge }) => charge === 'free').length;
    const call: AdmittedCall = {
      id,
      at: now,
      month,
      charge: isCounted && freeCalls >= FREE_CALLS_PER_WINDOW ? 'billable' : 'free',
      settleBy: now + (isCounted ? SETTLE_WITHIN_MS : WINDOW_MS),
    };
    this.#calls.put(call);
    this.#months.add(call, countsOf(call));
    if (hash !== null && isCounted) this.#retries.begin(id, hash, call.charge === 'billable', now);
    return this.#decision('admitted', terms, now, call.charge === 'billable');
  }

  /**
   * Undoes a call that was not served: it leaves the counters and is not charged, whatever the failure. Its
   * place in the window is given back as well: always after an error of the service, otherwise as far as
   * `Refunds` allows. If it was the free call, the earliest billable call admitted in the same window becomes
   * free.
   * @returns whether the call is charged after this: only if it had been settled before
   */
  refund(id: number, failure: CallFailure, now: number): boolean {
    this.expire(now);
    const call = this.#calls.get(id);
    if (!call || call.settleBy === 0) return call?.charge === 'billable';
    const isRefund = failure !== 'server_error' && this.#refunds.allows(failure);
    if (isRefund) this.#refunds.put(id, { at: now, failure });
    const givesPlaceBack = failure === 'server_error' || isRefund;
    this.#takeOff(call, givesPlaceBack ? null : { ...call, month: 0, charge: 'failed', settleBy: 0 }, now);
    return false;
  }

  /**
   * Whether a try has the content that its call was first tried with; true for calls that are no try. A try
   * with other content is not charged, and keeps its place in the window.
   * @param content 53 bits of a keyed hash of picture and ops
   */
  isSameContent(id: number, content: number, now: number): boolean {
    this.expire(now);
    if (this.#retries.isSame(id, content, now)) return true;
    const call = this.#calls.get(id);
    if (call && call.settleBy !== 0)
      this.#takeOff(call, { ...call, month: 0, charge: 'failed', settleBy: 0 }, now);
    return false;
  }

  /** Records that the call was served: it can't be refunded any more. */
  settle(id: number, now: number): void {
    this.expire(now);
    const call = this.#calls.get(id);
    if (!call || call.settleBy === 0) return;
    this.#calls.put({ ...call, settleBy: 0 });
    this.expire(now);
  }

  /** Revokes the key for good. A repeated call keeps the time of the first. */
  revoke(now: number): void {
    if (this.#revokedAt !== null) return;
    this.#revokedAt = now;
    this.#journal.putRevocation(now);
  }

  snapshot(terms: Terms, now: number): UsageSnapshot {
    this.expire(now);
    const times = this.#calls.inWindow.map(({ at }) => at);
    const month = monthAt(now);
    const count = this.#months.get(month);
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
    return this.#months.history;
  }

  /** The days of a month on which calls were counted, in order. */
  daysOf(month: number, now: number): DaySpan[] {
    this.expire(now);
    return this.#months.daysOf(month);
  }

  /** Deletes tries that no longer matter at `now`; separate from `expire`, because it queries the storage. */
  expireTries(now: number): void {
    this.#retries.expire(now);
  }

  /** Deletes what no longer matters at `now`. */
  expire(now: number): void {
    this.#refunds.expire(now);
    for (const call of this.#calls.advanceTo(now)) this.#months.move(call, now, countsOf(call));
    for (let { lost } = this.#calls; lost; { lost } = this.#calls) {
      this.#takeOff(lost, null, now);
      this.#calls.advanceTo(now);
    }
  }

  /**
   * When `expire` should be called next; null when nothing is left to expire. While anything is in the window
   * this is the end of the window, so that one wake-up clears all of it.
   */
  nextExpiry(now: number): number | null {
    this.expire(now);
    const inWindow = [...this.#calls.inWindow.map(({ at }) => at), ...this.#refunds.times];
    if (inWindow.length > 0) return Math.max(...inWindow) + WINDOW_MS;
    const later = [this.#calls.nextSettleBy, this.#retries.nextExpiry].filter((time) => time !== null);
    return later.length > 0 ? Math.min(...later) : null;
  }

  /** Whether nothing is remembered, as if the meter had never been used. */
  get isEmpty(): boolean {
    return this.#calls.size + this.#refunds.size + this.#months.size === 0 && this.#revokedAt === null;
  }

  #admitAgain(id: number, tries: readonly Try[], terms: Terms, now: number): Decision {
    const call = { id, at: now, month: 0, charge: 'failed', settleBy: now + SETTLE_WITHIN_MS } as const;
    this.#calls.put(call);
    this.#retries.addTo(tries, id);
    return this.#decision('admitted', terms, now, this.#isCharged(call, now));
  }

  /** Whether a call is charged; for a try, whether the call that it repeats is. */
  #isCharged({ id, charge }: AdmittedCall, now: number): boolean {
    return charge === 'failed' ? this.#retries.isCharged(id, now) : charge === 'billable';
  }

  #decision(outcome: Outcome, terms: Terms, now: number, billable = false): Decision {
    const reading = this.snapshot(terms, now);
    const retryAfterSeconds = outcome === 'rate_limited' ? secondsUntil(reading.resetAt, now) : 0;
    return { outcome, billable, retryAfterSeconds, reading };
  }

  /**
   * Takes a call off its month. If there is another try of it, that one is counted in its place. If not, and
   * it was the free call, another call becomes free.
   * @param replacement what remains of it; null for nothing
   */
  #takeOff(call: AdmittedCall, replacement: AdmittedCall | null, now: number): void {
    if (replacement) this.#calls.put(replacement);
    else this.#calls.delete(call);
    const otherTry = this.#calls.get(this.#retries.remove(call.id, now) ?? -1);
    if (otherTry) {
      // It is the same call: count and price go to the try that was, or may yet be, served.
      this.#calls.put({ ...otherTry, month: call.month, charge: call.charge });
      this.#months.move(call, otherTry.at, countsOf(call));
      return;
    }
    this.#months.subtract(call, countsOf(call));
    const heir = call.charge === 'free' ? this.#calls.earliestBillableSince(call) : undefined;
    if (!heir) return;
    this.#calls.put({ ...heir, charge: 'free' });
    this.#retries.setFree(heir.id);
    this.#months.subtract(heir, { calls: 0, billable: 1 });
  }
}

function countsOf({ charge }: AdmittedCall): MonthCount {
  return { calls: 1, billable: Number(charge === 'billable') };
}
