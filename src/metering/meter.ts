import type { Journal, MeterState, MonthCount, Place } from './journal.ts';
import { monthAt } from './months.ts';
import { WINDOW_MS } from './plans.ts';
import { isWithinWindow, nextPlaceAt, secondsUntil } from './rolling_window.ts';

/** What a caller may do: the numbers of the plan, and the cap the key carries. */
export interface Terms {
  /** Calls in any rolling window. */
  readonly limit: number;
  /**
   * Billable calls a UTC month; null for callers who are never billed, whose calls are not counted either.
   */
  readonly cap: number | null;
}

/** Where a caller stands at one moment. */
export interface Reading {
  readonly limit: number;
  /** Calls that would be admitted now; 0 for a revoked key. */
  readonly remaining: number;
  /** Unix milliseconds when the next place in use is free again; the moment itself where none is in use. */
  readonly resetAt: number;
  /** The moment of the reading, Unix milliseconds by the meter's clock. */
  readonly now: number;
  /** The UTC month (see months.ts) and its counters. */
  readonly month: number;
  readonly calls: number;
  readonly billableCalls: number;
  readonly revoked: boolean;
}

type Outcome = 'admitted' | 'revoked' | 'rate_limited' | 'cap_reached';

export interface Verdict {
  readonly outcome: Outcome;
  /** Whether this very call is charged; false for all that is not admitted. */
  readonly billable: boolean;
  /** Waiting exactly so many seconds succeeds, one less does not; 0 unless rate limited. */
  readonly retryAfterSeconds: number;
  readonly reading: Reading;
}

/**
 * Failed calls returned to one caller in any rolling window; past it they count (docs: decisions on
 * metering).
 */
export const RETURNS_PER_WINDOW = 20;

/**
 * How long the end of a counted call may stay unknown. Far longer than any call takes (25 MB over a slow line
 * and a minute of CPU), since it only delays the correction of calls whose isolate died.
 */
export const SETTLE_WITHIN_MS = 3_600_000;

/** Months kept: the running one and a year before it, for the operator's invoices. */
const MONTHS_KEPT = 13;

/**
 * One caller's calls: rolling window, free call, month counters, cap. Pure but for its journal: time is
 * always an argument, and a meter made of what the journal holds goes on as this one would.
 *
 * Should the clock step back, what lies in the future is taken to have happened now: nobody waits longer than
 * a window, and no window holds more than the limit.
 */
export class Meter {
  readonly #places: Map<number, Place>;
  readonly #returns: Map<number, number>;
  readonly #months: Map<number, MonthCount>;
  readonly #journal: Journal;
  #revokedAt: number | null;

  constructor(state: MeterState, journal: Journal) {
    const inOrder = [...state.places].sort((a, b) => a.at - b.at);
    this.#places = new Map(inOrder.map((place) => [place.id, place]));
    this.#returns = new Map(state.returns);
    this.#months = new Map(state.months);
    this.#revokedAt = state.revokedAt;
    this.#journal = journal;
  }

  get revokedAt(): number | null {
    return this.#revokedAt;
  }

  /** Decides on one call and takes its place: refused when revoked, then by the rate, then by the cap. */
  admit(id: number, terms: Terms, now: number): Verdict {
    this.age(now);
    const known = this.#places.get(id);
    if (known) return this.#verdict('admitted', terms, now, known.billable);
    if (this.#revokedAt !== null) return this.#verdict('revoked', terms, now);
    const window = this.#window(now);
    if (window.length >= terms.limit) return this.#verdict('rate_limited', terms, now);
    const counted = terms.cap !== null;
    const month = counted ? monthAt(now) : 0;
    if (counted && this.#count(month).billable >= terms.cap) return this.#verdict('cap_reached', terms, now);
    const freeCallTaken = window.some((place) => !place.billable);
    const settleBy = now + (counted ? SETTLE_WITHIN_MS : WINDOW_MS);
    const place: Place = { id, at: now, month, billable: counted && freeCallTaken, settleBy };
    this.#put(place);
    this.#add(place, 1);
    return this.#verdict('admitted', terms, now, place.billable);
  }

  /**
   * Takes back a call that failed: its place, its free call, its charge. Past `RETURNS_PER_WINDOW` it counts
   * instead.
   * @returns whether the call is still charged after this
   */
  giveBack(id: number, now: number): boolean {
    this.age(now);
    const place = this.#places.get(id);
    if (!place || place.settleBy === 0) return place?.billable ?? false;
    if (this.#returns.size >= RETURNS_PER_WINDOW) {
      this.#put({ ...place, settleBy: 0 });
      return place.billable;
    }
    this.#drop(place);
    this.#add(place, -1);
    this.#returns.set(id, now);
    this.#journal.putReturn(id, now);
    return false;
  }

  /** The call was served: from now on it can't be given back. */
  settle(id: number, now: number): void {
    this.age(now);
    const place = this.#places.get(id);
    if (!place) return;
    this.#put({ ...place, settleBy: 0 });
    this.age(now);
  }

  /** Revokes the key for good; the first time counts. */
  revoke(now: number): void {
    if (this.#revokedAt !== null) return;
    this.#revokedAt = now;
    this.#journal.putRevoked(now);
  }

  read(terms: Terms, now: number): Reading {
    this.age(now);
    const times = this.#window(now).map((place) => place.at);
    const month = monthAt(now);
    const count = this.#count(month);
    const revoked = this.#revokedAt !== null;
    return {
      limit: terms.limit,
      remaining: revoked ? 0 : Math.max(0, terms.limit - times.length),
      resetAt: nextPlaceAt(times, terms.limit, now),
      now,
      month,
      calls: count.calls,
      billableCalls: count.billable,
      revoked,
    };
  }

  /** Counters of all months kept, oldest first. */
  history(now: number): { month: number; count: MonthCount }[] {
    this.age(now);
    const kept = [...this.#months].map(([month, count]) => ({ month, count }));
    return kept.sort((a, b) => a.month - b.month);
  }

  /** Forgets what no longer matters at `now`. */
  age(now: number): void {
    for (const [id, at] of this.#returns) {
      if (at > now) {
        this.#returns.set(id, now);
        this.#journal.putReturn(id, now);
      } else if (!isWithinWindow(at, now)) {
        this.#returns.delete(id);
        this.#journal.dropReturn(id);
      }
    }
    for (const place of this.#places.values()) {
      if (place.at > now) this.#put(movedTo(place, now));
      else if (!isWithinWindow(place.at, now) && place.settleBy <= now) {
        this.#drop(place);
        if (place.settleBy !== 0) this.#add(place, -1);
      }
    }
  }

  /**
   * When `age` will next have something to forget that is worth waking for; null when nothing is left to
   * forget.
   */
  nextAgeing(now: number): number | null {
    const inWindow = [...this.#window(now).map((place) => place.at), ...this.#returns.values()];
    if (inWindow.length > 0) return Math.max(...inWindow) + WINDOW_MS;
    const unsettled = [...this.#places.values()].map((place) => place.settleBy);
    return unsettled.length > 0 ? Math.min(...unsettled) : null;
  }

  /** Nothing is remembered: as if the meter had never been used. */
  get isEmpty(): boolean {
    const kept = this.#places.size + this.#returns.size + this.#months.size;
    return kept === 0 && this.#revokedAt === null;
  }

  #window(now: number): Place[] {
    return [...this.#places.values()].filter((place) => isWithinWindow(place.at, now));
  }

  #verdict(outcome: Outcome, terms: Terms, now: number, billable = false): Verdict {
    const reading = this.read(terms, now);
    const retryAfterSeconds = outcome === 'rate_limited' ? secondsUntil(reading.resetAt, now) : 0;
    return { outcome, billable, retryAfterSeconds, reading };
  }

  #count(month: number): MonthCount {
    return this.#months.get(month) ?? { calls: 0, billable: 0 };
  }

  /** Counts a place in its month, or (`by` -1) takes it out again. */
  #add(place: Place, by: 1 | -1): void {
    if (place.month === 0) return;
    if (by === -1 && !this.#months.has(place.month)) return;
    const { calls, billable } = this.#count(place.month);
    const count = { calls: calls + by, billable: billable + (place.billable ? by : 0) };
    this.#months.set(place.month, count);
    this.#journal.putMonth(place.month, count);
    for (const month of this.#months.keys()) {
      if (month > place.month - MONTHS_KEPT) continue;
      this.#months.delete(month);
      this.#journal.dropMonth(month);
    }
  }

  #put(place: Place): void {
    this.#places.set(place.id, place);
    this.#journal.putPlace(place);
  }

  #drop(place: Place): void {
    this.#places.delete(place.id);
    this.#journal.dropPlace(place.id);
  }
}

/** The same call, made at `now`; its time to be settled moves along. */
function movedTo(place: Place, now: number): Place {
  const settleBy = place.settleBy === 0 ? 0 : place.settleBy - (place.at - now);
  return { ...place, at: now, settleBy };
}
