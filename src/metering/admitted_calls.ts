import type { AdmittedCall, Journal } from './journal.ts';
import { WINDOW_MS } from './plans.ts';
import { isWithinWindow } from './rolling_window.ts';

/**
 * The most calls remembered beyond the rolling window: twice what the largest plan admits in one window.
 * Calls are forgotten once settled, so only calls that nobody settles reach this bound (their isolates died).
 */
export const MAX_OLDER_CALLS = 1200;

/**
 * The admitted calls of one caller by the time of admission, oldest first: those in the rolling window, and
 * older ones whose outcome is unknown. A settled call that has left the window stays while an older call is
 * unsettled: that call may yet fail, and then the settled one may become the free call in its place. Every
 * change goes to the journal.
 *
 * Both parts are ordered by time, so expired calls are always at the front and need no search.
 */
export class AdmittedCalls {
  #recent: Map<number, AdmittedCall>;
  #older = new Map<number, AdmittedCall>();
  readonly #journal: Journal;
  /** Unix milliseconds of the latest `advanceTo`; no call is later. */
  #now: number;

  constructor(calls: readonly AdmittedCall[], journal: Journal) {
    const oldestFirst = [...calls].sort((a, b) => a.at - b.at);
    this.#recent = new Map(oldestFirst.map((call) => [call.id, call]));
    this.#now = oldestFirst.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    this.#journal = journal;
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  /** Calls in the rolling window that ends at the time of the latest `advanceTo`, oldest first. */
  get inWindow(): readonly AdmittedCall[] {
    return [...this.#recent.values()];
  }

  get(id: number): AdmittedCall | undefined {
    return this.#recent.get(id) ?? this.#older.get(id);
  }

  /** Adds a call made now, or replaces the one with the same id, which keeps its time. */
  put(call: AdmittedCall): void {
    (this.#older.has(call.id) ? this.#older : this.#recent).set(call.id, call);
    this.#journal.putCall(call);
  }

  delete({ id }: AdmittedCall): void {
    if (!this.#recent.delete(id)) this.#older.delete(id);
    this.#journal.deleteCall(id);
  }

  /**
   * Moves calls that have left the window out of it. If the clock has stepped back, times that now lie in the
   * future are set to the present.
   * @returns the calls set to the present, as they were
   */
  advanceTo(now: number): readonly AdmittedCall[] {
    const moved = now < this.#now ? this.#stepBackTo(now) : [];
    this.#now = now;
    for (const call of this.#recent.values()) {
      if (isWithinWindow(call.at, now)) break;
      this.#recent.delete(call.id);
      this.#older.set(call.id, call);
    }
    this.#deleteSettled();
    return moved;
  }

  /**
   * The oldest unsettled call, if there is no point in waiting for it: its time to be settled has passed, or
   * more than `MAX_OLDER_CALLS` lie beyond the window.
   */
  get lost(): AdmittedCall | undefined {
    const oldest = this.#oldestUnsettled;
    if (!oldest) return undefined;
    const isLost = oldest.settleBy <= this.#now || this.#older.size > MAX_OLDER_CALLS;
    return isLost ? oldest : undefined;
  }

  /** Unix milliseconds by which the oldest call beyond the window must be settled; null if there is none. */
  get nextSettleBy(): number | null {
    return this.#oldestUnsettled?.settleBy ?? null;
  }

  /**
   * The earliest billable call admitted in the window that began with `first`. Among calls of the same
   * millisecond it is the one with the lowest id, as their order is not stored.
   */
  earliestBillableSince(first: AdmittedCall): AdmittedCall | undefined {
    let earliest: AdmittedCall | undefined;
    for (const calls of [this.#older, this.#recent]) {
      for (const call of calls.values()) {
        if (call.at >= first.at + WINDOW_MS || (earliest && call.at > earliest.at)) return earliest;
        if (call.at < first.at || call.charge !== 'billable') continue;
        if (!earliest || call.id < earliest.id) earliest = call;
      }
    }
    return earliest;
  }

  /** The oldest unsettled call beyond the window. Only calls of the same millisecond may precede it. */
  get #oldestUnsettled(): AdmittedCall | undefined {
    for (const call of this.#older.values()) if (call.settleBy !== 0) return call;
    return undefined;
  }

  /** Deletes what lies beyond the window and before every unsettled call. */
  #deleteSettled(): void {
    const keptFrom = this.#oldestUnsettled?.at ?? Number.POSITIVE_INFINITY;
    for (const call of this.#older.values()) {
      if (call.at >= keptFrom) break;
      this.delete(call);
    }
  }

  /** Goes through all calls, as it is rare. */
  #stepBackTo(now: number): AdmittedCall[] {
    const calls = [...this.#older.values(), ...this.#recent.values()];
    this.#older = new Map();
    this.#recent = new Map(calls.map((call) => [call.id, call]));
    const moved = calls.filter((call) => call.at > now);
    for (const call of moved) this.put(movedTo(call, now));
    return moved;
  }
}

/** The same call as if made at `now`; its settle deadline moves by the same distance. */
function movedTo(call: AdmittedCall, now: number): AdmittedCall {
  const settleBy = call.settleBy === 0 ? 0 : call.settleBy - (call.at - now);
  return { ...call, at: now, settleBy };
}
