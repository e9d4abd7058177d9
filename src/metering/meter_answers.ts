import type { MonthCount } from './journal.ts';
import type { KeyAccount, KeyFacts, KeyRefusal } from './key_account.ts';
import type { Decision, UsageSnapshot } from './meter.ts';

/**
 * What `CallMeter` and the Worker tell each other. Each may be of another version than the other, so members
 * keep their names, and new ones are optional.
 */

/**
 * The counters of one UTC month, and their cost in mills; objects of earlier versions do not send the cost.
 */
export interface MonthUsage {
  readonly month: number;
  readonly count: MonthCount;
  readonly mills?: number;
}

/** What was counted on one UTC day. */
export interface DayUsage {
  /** Days since 1970. */
  readonly day: number;
  readonly count: MonthCount;
  /** The cost of these calls, in mills. */
  readonly mills: number;
}

/** What the operator sees of a key; objects of earlier versions send only its facts. */
export interface KeyUsage extends KeyFacts, Partial<Omit<KeyAccount, keyof KeyFacts>> {
  readonly revokedAt: number | null;
  /** The current UTC month and its counters. */
  readonly month: number;
  readonly current: MonthCount;
  /** What the current month costs, in mills. */
  readonly mills?: number;
  /** The counters of all months kept, the current one included, oldest first. */
  readonly history: readonly MonthUsage[];
  /** The days with calls of the month asked for; objects of versions without days do not send them. */
  readonly days?: readonly DayUsage[];
}

/** Plan and cost by the key's account; objects of earlier versions do not send them. */
export interface KeyStanding {
  /** Code of the plan. */
  readonly plan: number;
  readonly cap: number;
  /** What the current month costs, in mills. */
  readonly mills: number;
}

/** A snapshot of a caller; for keys, with what the account says. */
export interface CallerUsage extends UsageSnapshot {
  readonly key?: KeyStanding;
  /** Why the token is refused although its signature is valid. */
  readonly refusal?: KeyRefusal;
}

/** A decision of the meter, or a refusal by the key's account. */
export interface CallDecision extends Omit<Decision, 'outcome' | 'reading'> {
  readonly outcome: Decision['outcome'] | KeyRefusal;
  readonly reading: CallerUsage;
}

/**
 * What the Worker knows about a key and the object may not: the record made when it was issued. null: the
 * Worker has not looked it up. Absent: the Worker is of a version that took every signed token for issued.
 */
export interface KeyEvidence {
  readonly issued?: KeyAccount | null;
}
