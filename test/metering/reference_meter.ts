import type { Terms } from '../../src/metering/meter.ts';

interface Call {
  readonly id: number;
  at: number;
  readonly month: string;
  readonly free: boolean;
  readonly counted: boolean;
  state: 'running' | 'served' | 'returned' | 'lost';
  returnedAt: number;
  /** Over, and seen to be out of the window: a clock that steps back does not bring it in again. */
  forgotten: boolean;
  outOfReturns: boolean;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const RETURNS = 20;

/**
 * The rules as the documents say them, done the slow way: it keeps every call ever made, knows no counters,
 * and finds waiting times by trying each second. Shares no code with the meter.
 */
export class ReferenceMeter {
  readonly #calls: Call[] = [];
  #revoked = false;

  #look(now: number): void {
    for (const call of this.#calls) {
      if (call.at > now) call.at = now;
      if (call.returnedAt > now) call.returnedAt = now;
      if (call.state === 'returned' && now - call.returnedAt >= MINUTE) call.outOfReturns = true;
      const patience = call.counted ? HOUR : MINUTE;
      if (call.state === 'running' && now - call.at >= patience) call.state = 'lost';
      if (call.state !== 'running' && now - call.at >= MINUTE) call.forgotten = true;
    }
  }

  /** Calls holding a place at a time not before the last look. */
  #holding(time: number): Call[] {
    return this.#calls.filter(
      (call) => call.state !== 'returned' && !call.forgotten && time - call.at < MINUTE,
    );
  }

  #charged(month: string): Call[] {
    return this.#calls.filter(
      (call) => call.counted && call.month === month && (call.state === 'running' || call.state === 'served'),
    );
  }

  admit(id: number, terms: Terms, now: number) {
    this.#look(now);
    const outcome = this.#decide(terms, now);
    let billable = false;
    let retryAfterSeconds = 0;
    if (outcome === 'admitted') {
      const counted = terms.cap !== null;
      const free = this.#holding(now).every((call) => !call.free);
      billable = counted && !free;
      const month = monthName(now);
      const marks = { state: 'running', returnedAt: 0, forgotten: false, outOfReturns: false } as const;
      this.#calls.push({ id, at: now, month, free: !billable, counted, ...marks });
    } else if (outcome === 'rate_limited') {
      while (this.#holding(now + 1000 * retryAfterSeconds).length >= terms.limit) retryAfterSeconds++;
    }
    return { outcome, billable, retryAfterSeconds, reading: this.read(terms, now) };
  }

  /** The answer to a call that is tried again under the same id; null where it no longer holds anything. */
  admitAgain(id: number, terms: Terms, now: number) {
    this.#look(now);
    const call = this.#calls.find((each) => each.id === id);
    if (!call || call.forgotten || call.state === 'returned') return null;
    const answer = { outcome: 'admitted', billable: !call.free, retryAfterSeconds: 0 };
    return { ...answer, reading: this.read(terms, now) };
  }

  #decide(terms: Terms, now: number) {
    if (this.#revoked) return 'revoked';
    if (this.#holding(now).length >= terms.limit) return 'rate_limited';
    const billed = this.#charged(monthName(now)).filter((call) => !call.free).length;
    if (terms.cap !== null && billed >= terms.cap) return 'cap_reached';
    return 'admitted';
  }

  giveBack(id: number, now: number): boolean {
    this.#look(now);
    const call = this.#calls.findLast((each) => each.id === id);
    if (!call) return false;
    if (call.state === 'running') {
      const returned = this.#calls.filter((each) => each.state === 'returned' && !each.outOfReturns).length;
      if (returned >= RETURNS) call.state = 'served';
      else {
        call.state = 'returned';
        call.returnedAt = now;
      }
    }
    return call.state === 'served' && !call.forgotten && !call.free;
  }

  settle(id: number, now: number): void {
    this.#look(now);
    const call = this.#calls.findLast((each) => each.id === id);
    if (call?.state === 'running') call.state = 'served';
  }

  revoke(): void {
    this.#revoked = true;
  }

  read(terms: Terms, now: number) {
    this.#look(now);
    const free = (time: number) => Math.max(0, terms.limit - this.#holding(time).length);
    const ends = this.#holding(now).map((call) => call.at + MINUTE);
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
