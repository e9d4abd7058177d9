import type { CallFailure } from '../../src/metering/journal.ts';
import type { Terms } from '../../src/metering/meter.ts';

interface Call {
  readonly id: number;
  at: number;
  readonly month: string;
  free: boolean;
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

/**
 * The documented rules, implemented the simple and slow way: it keeps every call ever made, has no counters,
 * and finds waiting times by trying each second. Shares no code with the meter.
 */
export class ReferenceMeter {
  readonly #calls: Call[] = [];
  #refunds: Refund[] = [];
  #revoked = false;

  #advanceTo(now: number): void {
    for (const each of [...this.#calls, ...this.#refunds]) if (each.at > now) each.at = now;
    this.#refunds = this.#refunds.filter((refund) => now - refund.at < MINUTE);
    for (const call of this.#calls.toSorted((a, b) => a.at - b.at)) {
      const settleWithin = call.counted ? HOUR : MINUTE;
      if (call.state === 'running' && now - call.at >= settleWithin) this.#fail(call, 'gone');
    }
    const running = this.#calls.filter((call) => call.state === 'running');
    for (const call of this.#calls) {
      const isOld = call.state !== 'running' && now - call.at >= MINUTE;
      if (isOld && running.every((other) => other.at > call.at)) call.forgotten = true;
    }
  }

  /** A free call that fails makes the earliest billable call of its window free. */
  #fail(call: Call, state: 'failed' | 'gone'): void {
    call.state = state;
    if (!call.free) return;
    const [heir] = this.#calls
      .filter((each) => isCharged(each) && !each.free && !each.forgotten)
      .filter((each) => each.at >= call.at && each.at - call.at < MINUTE)
      .sort((a, b) => a.at - b.at || a.id - b.id);
    if (heir) heir.free = true;
  }

  /** Calls that count against the limit at a time not before the last `#advanceTo`. */
  #inWindow(time: number): Call[] {
    return this.#calls.filter((call) => call.state !== 'gone' && !call.forgotten && time - call.at < MINUTE);
  }

  #charged(month: string): Call[] {
    return this.#calls.filter((call) => isCharged(call) && call.month === month);
  }

  admit(id: number, terms: Terms, now: number) {
    this.#advanceTo(now);
    const outcome = this.#decide(terms, now);
    let billable = false;
    let retryAfterSeconds = 0;
    if (outcome === 'admitted') {
      const counted = terms.cap !== null;
      const free = this.#inWindow(now).every((call) => call.state === 'failed' || !call.free);
      billable = counted && !free;
      const call = { id, at: now, month: monthName(now), free: !billable, counted } as const;
      this.#calls.push({ ...call, state: 'running', forgotten: false });
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
    const billable = isCharged(call) && !call.free;
    return { outcome: 'admitted', billable, retryAfterSeconds: 0, reading: this.snapshot(terms, now) };
  }

  #decide(terms: Terms, now: number) {
    if (this.#revoked) return 'revoked';
    if (this.#inWindow(now).length >= terms.limit) return 'rate_limited';
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
      this.#fail(call, failure === 'server_error' || isWithinLimits ? 'gone' : 'failed');
    }
    return call.state === 'served' && !call.forgotten && !call.free && call.counted;
  }

  settle(id: number, now: number): void {
    this.#advanceTo(now);
    const call = this.#calls.findLast((each) => each.id === id);
    if (call?.state === 'running') call.state = 'served';
  }

  revoke(): void {
    this.#revoked = true;
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
  return call.counted && (call.state === 'running' || call.state === 'served');
}

function monthName(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}
