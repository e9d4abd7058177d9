import type { Terms } from '../../src/metering/meter.ts';

interface Call {
  readonly id: number;
  at: number;
  readonly month: string;
  readonly free: boolean;
  readonly counted: boolean;
  state: 'running' | 'served' | 'refunded' | 'lost';
  refundedAt: number;
  /** Found to be over and outside the window: a clock that steps back does not bring it back. */
  forgotten: boolean;
  refundExpired: boolean;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const REFUNDS = 20;

/**
 * The documented rules, implemented the simple and slow way: it keeps every call ever made, has no counters,
 * and finds waiting times by trying each second. Shares no code with the meter.
 */
export class ReferenceMeter {
  readonly #calls: Call[] = [];
  #revoked = false;

  #advanceTo(now: number): void {
    for (const call of this.#calls) {
      if (call.at > now) call.at = now;
      if (call.refundedAt > now) call.refundedAt = now;
      if (call.state === 'refunded' && now - call.refundedAt >= MINUTE) call.refundExpired = true;
      const settleWithin = call.counted ? HOUR : MINUTE;
      if (call.state === 'running' && now - call.at >= settleWithin) call.state = 'lost';
      if (call.state !== 'running' && now - call.at >= MINUTE) call.forgotten = true;
    }
  }

  /** Calls that count against the limit at a time not before the last `#advanceTo`. */
  #inWindow(time: number): Call[] {
    return this.#calls.filter(
      (call) => call.state !== 'refunded' && !call.forgotten && time - call.at < MINUTE,
    );
  }

  #charged(month: string): Call[] {
    return this.#calls.filter(
      (call) => call.counted && call.month === month && (call.state === 'running' || call.state === 'served'),
    );
  }

  admit(id: number, terms: Terms, now: number) {
    this.#advanceTo(now);
    const outcome = this.#decide(terms, now);
    let billable = false;
    let retryAfterSeconds = 0;
    if (outcome === 'admitted') {
      const counted = terms.cap !== null;
      const free = this.#inWindow(now).every((call) => !call.free);
      billable = counted && !free;
      const month = monthName(now);
      const marks = { state: 'running', refundedAt: 0, forgotten: false, refundExpired: false } as const;
      this.#calls.push({ id, at: now, month, free: !billable, counted, ...marks });
    } else if (outcome === 'rate_limited') {
      while (this.#inWindow(now + 1000 * retryAfterSeconds).length >= terms.limit) retryAfterSeconds++;
    }
    return { outcome, billable, retryAfterSeconds, reading: this.snapshot(terms, now) };
  }

  /** The decision on a repeated admission with the same id; null if the first no longer counts. */
  admitAgain(id: number, terms: Terms, now: number) {
    this.#advanceTo(now);
    const call = this.#calls.find((each) => each.id === id);
    if (!call || call.forgotten || call.state === 'refunded') return null;
    const answer = { outcome: 'admitted', billable: !call.free, retryAfterSeconds: 0 };
    return { ...answer, reading: this.snapshot(terms, now) };
  }

  #decide(terms: Terms, now: number) {
    if (this.#revoked) return 'revoked';
    if (this.#inWindow(now).length >= terms.limit) return 'rate_limited';
    const billed = this.#charged(monthName(now)).filter((call) => !call.free).length;
    if (terms.cap !== null && billed >= terms.cap) return 'cap_reached';
    return 'admitted';
  }

  refund(id: number, now: number): boolean {
    this.#advanceTo(now);
    const call = this.#calls.findLast((each) => each.id === id);
    if (!call) return false;
    if (call.state === 'running') {
      const refunded = this.#calls.filter((each) => each.state === 'refunded' && !each.refundExpired).length;
      if (refunded >= REFUNDS) call.state = 'served';
      else {
        call.state = 'refunded';
        call.refundedAt = now;
      }
    }
    return call.state === 'served' && !call.forgotten && !call.free;
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
    const free = (time: number) => Math.max(0, terms.limit - this.#inWindow(time).length);
    const ends = this.#inWindow(now).map((call) => call.at + MINUTE);
    const resetAt = ends.sort((a, b) => a - b).find((end) => free(end) > free(now)) ?? now;
    const charged = this.#charged(monthName(now));
    return {
      limit: terms.limit,
      remaining: this.#revoked ? 0 : free(now),
      resetAt,
      period: monthName(now),
      calls: charged.length,
      billableCalls: charged.filter((call) => !call.free).length,
      revoked: this.#revoked,
    };
  }
}

function monthName(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}
