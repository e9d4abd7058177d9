import type { CallFailure } from '../../src/metering/journal.ts';
import type { Terms } from '../../src/metering/meter.ts';

interface Call {
  readonly id: number;
  at: number;
  month: string;
  /** The UTC day of the month that it counts on, YYYY-MM-DD. */
  day: string;
  free: boolean;
  /** Of the idempotency key, and the time of the first try; null without one. */
  hash: number | null;
  since: number;
  /** Another try of the same call is counted. */
  repeats: boolean;
  readonly counted: boolean;
  /** `failed` keeps its place, `gone` does not. */
  state: 'running' | 'served' | 'failed' | 'gone';
  /** Outside the window, and no call before it is running: a clock that steps back does not bring it back. */
  forgotten: boolean;
}

interface Refund {
  at: number;
  readonly aborted: boolean;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const REFUNDS = 20;
const ABORT_REFUNDS = 3;
const DAY = 86_400_000;
const TRIES = 10;

/**
 * The documented rules, implemented the simple and slow way: it keeps every call ever made, has no counters,
 * and finds waiting times by trying each second. Shares no code with the meter.
 */
export class ReferenceMeter {
  readonly #calls: Call[] = [];
  #refunds: Refund[] = [];
  #revoked = false;

  #advanceTo(now: number): void {
    for (const call of this.#calls) if (call.at > now && !call.forgotten) call.day = dayName(call.month, now);
    for (const each of [...this.#calls, ...this.#refunds]) if (each.at > now) each.at = now;
    this.#refunds = this.#refunds.filter((refund) => now - refund.at < MINUTE);
    for (const call of this.#calls.toSorted((a, b) => a.at - b.at)) {
      const settleWithin = call.counted ? HOUR : MINUTE;
      if (call.state === 'running' && now - call.at >= settleWithin) this.#fail(call, 'gone', now);
    }
    const running = this.#calls.filter((call) => call.state === 'running');
    for (const call of this.#calls) {
      const isOld = call.state !== 'running' && now - call.at >= MINUTE;
      if (isOld && running.every((other) => other.at > call.at)) call.forgotten = true;
    }
  }

  /** A free call that fails makes the earliest billable call of its window free. */
  #fail(call: Call, state: 'failed' | 'gone', now: number): void {
    call.state = state;
    if (call.repeats) return;
    const [otherTry] = call.hash === null || now - call.since >= DAY ? [] : this.#tries(call.hash, now);
    if (otherTry) {
      otherTry.repeats = false;
      otherTry.free = call.free;
      otherTry.month = call.month;
      otherTry.day = dayName(call.month, otherTry.at);
      return;
    }
    if (!call.free) return;
    const [heir] = this.#calls
      .filter((each) => isCharged(each) && !each.free && !each.forgotten)
      .filter((each) => each.at >= call.at && each.at - call.at < MINUTE)
      .sort((a, b) => a.at - b.at || a.id - b.id);
    if (heir) heir.free = true;
  }

  /** Tries of the same call that are running or were served. */
  #tries(hash: number, now: number): Call[] {
    const tries = this.#calls.filter((call) => call.hash === hash && now - call.since < DAY);
    return tries.filter(({ state }) => state === 'running' || state === 'served').sort((a, b) => a.id - b.id);
  }

  /** Forgets for good which calls of more than a day ago were tries, also if the clock steps back. */
  expireTries(now: number): void {
    this.#stepTriesBackTo(now);
    for (const call of this.#calls) if (now - call.since >= DAY) call.hash = null;
  }

  #stepTriesBackTo(now: number): void {
    for (const call of this.#calls) call.since = Math.min(call.since, now);
  }

  #chargedByTries(hash: number | null, now: number): boolean {
    return hash !== null && this.#tries(hash, now).some((call) => isCharged(call) && !call.free);
  }

  /** Calls that count against the limit at a time not before the last `#advanceTo`. */
  #inWindow(time: number): Call[] {
    return this.#calls.filter((call) => call.state !== 'gone' && !call.forgotten && time - call.at < MINUTE);
  }

  #charged(month: string): Call[] {
    return this.#calls.filter((call) => isCharged(call) && call.month === month);
  }

  admit(id: number, terms: Terms, now: number, key: number | null = null) {
    this.#advanceTo(now);
    if (key !== null) this.#stepTriesBackTo(now);
    const hash = terms.cap === null ? null : key;
    const tries = hash === null ? [] : this.#tries(hash, now);
    const outcome = this.#decide(terms, now, tries);
    let billable = false;
    let retryAfterSeconds = 0;
    if (outcome === 'admitted') {
      const counted = terms.cap !== null;
      const free = this.#inWindow(now).every((call) => call.state === 'failed' || !call.free);
      const repeats = tries.length > 0;
      const charged = counted && !free && !repeats;
      const since = tries[0]?.since ?? now;
      if (hash !== null && !repeats) this.expireTries(now);
      const month = monthName(now);
      const day = dayName(month, now);
      const call = { id, at: now, month, day, free: !charged && !repeats, counted } as const;
      this.#calls.push({ ...call, hash, since, repeats, state: 'running', forgotten: false });
      billable = repeats ? this.#chargedByTries(hash, now) : charged;
    } else if (outcome === 'rate_limited') {
      while (this.#inWindow(now + 1000 * retryAfterSeconds).length >= terms.limit) retryAfterSeconds++;
    }
    return { outcome, billable, retryAfterSeconds, reading: this.snapshot(terms, now) };
  }

  /** The decision on a repeated admission with the same id; null if the first no longer counts. */
  admitAgain(id: number, terms: Terms, now: number) {
    this.#advanceTo(now);
    const call = this.#calls.find((each) => each.id === id);
    if (!call || call.forgotten || call.state === 'gone') return null;
    const isTry = call.repeats && call.state !== 'failed';
    const billable = isTry ? this.#chargedByTries(call.hash, now) : isCharged(call) && !call.free;
    return { outcome: 'admitted', billable, retryAfterSeconds: 0, reading: this.snapshot(terms, now) };
  }

  #decide(terms: Terms, now: number, tries: readonly Call[]) {
    if (this.#revoked) return 'revoked';
    if (this.#inWindow(now).length >= terms.limit) return 'rate_limited';
    if (tries.length > 0) return tries.length < TRIES ? 'admitted' : 'tried_too_often';
    const billed = this.#charged(monthName(now)).filter((call) => !call.free).length;
    if (terms.cap !== null && billed >= terms.cap) return 'cap_reached';
    return 'admitted';
  }

  refund(id: number, failure: CallFailure, now: number): boolean {
    this.#advanceTo(now);
    const call = this.#calls.findLast((each) => each.id === id);
    if (!call) return false;
    if (call.state === 'running') {
      const aborted = failure === 'aborted';
      const isWithinLimits =
        this.#refunds.length < REFUNDS &&
        (!aborted || this.#refunds.filter((refund) => refund.aborted).length < ABORT_REFUNDS);
      if (failure !== 'server_error' && isWithinLimits) this.#refunds.push({ at: now, aborted });
      this.#fail(call, failure === 'server_error' || isWithinLimits ? 'gone' : 'failed', now);
    }
    return call.state === 'served' && !call.forgotten && !call.free && call.counted && !call.repeats;
  }

  settle(id: number, now: number): void {
    this.#advanceTo(now);
    const call = this.#calls.findLast((each) => each.id === id);
    if (call?.state === 'running') call.state = 'served';
  }

  /** Whether calls that nobody has settled leave the counters at this time. */
  lapsesAt(now: number): boolean {
    const charged = () => this.#calls.filter((call) => isCharged(call) && !call.free).length;
    const before = charged();
    this.#advanceTo(now);
    return charged() < before;
  }

  get isRevoked(): boolean {
    return this.#revoked;
  }

  revoke(): void {
    this.#revoked = true;
  }

  /** Calls and billable calls of the month at `now` by day, of days with any. */
  days(now: number): Record<string, { calls: number; billable: number }> {
    this.#advanceTo(now);
    const charged = Map.groupBy(this.#charged(monthName(now)), ({ day }) => day);
    return Object.fromEntries(
      [...charged].map(([day, calls]) => [
        day,
        { calls: calls.length, billable: calls.filter(({ free }) => !free).length },
      ]),
    );
  }

  snapshot(terms: Terms, now: number) {
    this.#advanceTo(now);
    const left = (time: number) => Math.max(0, terms.limit - this.#inWindow(time).length);
    const ends = this.#inWindow(now).map((call) => call.at + MINUTE);
    const resetAt = ends.sort((a, b) => a - b).find((end) => left(end) > left(now)) ?? now;
    const charged = this.#charged(monthName(now));
    return {
      limit: terms.limit,
      remaining: this.#revoked ? 0 : left(now),
      resetAt,
      period: monthName(now),
      calls: charged.length,
      billableCalls: charged.filter((call) => !call.free).length,
      revoked: this.#revoked,
    };
  }
}

function isCharged(call: Call): boolean {
  return call.counted && !call.repeats && (call.state === 'running' || call.state === 'served');
}

/** The day of a time; of a time outside of the month its first or last day. */
function dayName(month: string, time: number): string {
  const day = new Date(time).toISOString().slice(0, 10);
  if (day < month) return `${month}-01`;
  if (day.startsWith(month)) return day;
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

function monthName(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}
