import { DurableObject } from 'cloudflare:workers';
import type { CallFailure, MonthCount } from './journal.ts';
import { type Decision, Meter, type Terms, type UsageSnapshot } from './meter.ts';
import { type KeyFacts, SqlJournal } from './sql_journal.ts';

/** What the operator sees of a key. */
export interface KeyUsage extends KeyFacts {
  readonly revokedAt: number | null;
  /** The current UTC month and its counters. */
  readonly month: number;
  readonly current: MonthCount;
  /** The counters of all months kept, the current one included, oldest first. */
  readonly history: readonly { readonly month: number; readonly count: MonthCount }[];
}

/** What an object holds in memory while it runs; the journal holds the same. */
interface OpenState {
  readonly journal: SqlJournal;
  readonly meter: Meter;
  facts: KeyFacts | null;
}

/**
 * The counter of one caller: one object per key or anonymous network, so that all calls of a caller are
 * decided in one place, whichever isolate or machine received them. The window and the counters are stored in
 * the object's SQLite and survive eviction; a copy in memory saves reading them again.
 *
 * Only the object's own clock counts, `Date.now()` read once per event. Callers pass no time, since the
 * clocks of isolates differ.
 *
 * Every method does its work in one synchronous block without an `await`, so no two calls interleave, and its
 * answer is held back until the writes are durable (the runtime's output gate). If storage fails half-way,
 * the block is rolled back and the copy in memory dropped.
 *
 * The class name, the methods and the members of what they take and return are an interface between versions:
 * during a deployment a Worker of one version may call an object of the other
 * (https://developers.cloudflare.com/durable-objects/platform/known-issues/#code-updates). So they keep their
 * names.
 */
export class CallMeter extends DurableObject {
  #open: OpenState | null = null;
  /** When the alarm is known to go off; 0 when not known. */
  #alarmAt = 0;

  /**
   * Decides on one metered call and counts it if admitted.
   * @param id random number of the call; a repeated id is the same call, so admission may safely be retried
   * @param facts about the key, stored with its first call; null for anonymous callers
   */
  admit(id: number, terms: Terms, facts: KeyFacts | null): Decision {
    return this.#transact((state, now) => {
      const decision = state.meter.admit(id, terms, now);
      if (facts && !state.facts && decision.outcome === 'admitted') storeFacts(state, facts);
      return decision;
    });
  }

  /**
   * Refunds a failed call. Repeating it changes nothing.
   * @param failure how it failed; Workers of the first version do not tell
   * @returns whether the call is still charged, and the caller's usage after the refund
   */
  giveBack(
    id: number,
    terms: Terms,
    failure: CallFailure = 'refused',
  ): { billable: boolean; reading: UsageSnapshot } {
    return this.#transact(({ meter }, now) => {
      const billable = meter.refund(id, failure, now);
      return { billable, reading: meter.snapshot(terms, now) };
    });
  }

  /**
   * Records that the call was served and stays counted. A call that is neither settled nor refunded (its
   * isolate died) is taken off the counters after `SETTLE_WITHIN_MS`.
   */
  settle(id: number): void {
    this.#transact(({ meter }, now) => meter.settle(id, now));
  }

  /** The caller's usage. Counts nothing, and stores nothing for callers never seen. */
  peek(terms: Terms): UsageSnapshot {
    return this.#transact(({ meter }, now) => meter.snapshot(terms, now));
  }

  /** Returns at once: a round trip that makes a Worker's clock advance. */
  tick(): void {}

  /**
   * Stores the facts of a new key. Asked of an object of its own, so that the key can be looked up before its
   * meter has been asked by a first caller; the first version asked the meter itself.
   */
  issue(facts: KeyFacts): void {
    this.#transact((state) => storeFacts(state, facts));
  }

  /**
   * The key as the operator sees it. Stores nothing.
   * @param issued facts of the key, used if it has made no call yet
   * @returns null if nothing is known of the key
   */
  usage(issued: KeyFacts | null = null): KeyUsage | null {
    return this.#transact(({ meter, facts: stored }, now) => {
      const facts = stored ?? issued;
      if (!facts) return null;
      const { month, calls, billableCalls } = meter.snapshot({ limit: 0, cap: null }, now);
      const current = { calls, billable: billableCalls };
      return { ...facts, revokedAt: meter.revokedAt, month, current, history: meter.history(now) };
    });
  }

  /** Refuses every call of this key from now on. Idempotent; works for keys never used too. */
  revoke(): void {
    this.#transact(({ meter }, now) => meter.revoke(now));
  }

  /** Deletes what has expired; and the whole object, if no counter, key or revocation is left in it. */
  override async alarm(): Promise<void> {
    this.#alarmAt = 0;
    const isEmpty = this.#transact(({ meter, facts }) => meter.isEmpty && facts === null);
    if (!isEmpty) return;
    this.#open = null;
    await this.ctx.storage.deleteAll();
  }

  /** Runs one event in a storage transaction: expires what is too old, runs `block`, schedules the alarm. */
  #transact<T>(block: (state: OpenState, now: number) => T): T {
    const now = Date.now();
    try {
      return this.ctx.storage.transactionSync(() => {
        const state = this.#load();
        state.meter.expire(now);
        const result = block(state, now);
        this.#scheduleAlarm(state.meter.nextExpiry(now), now);
        return result;
      });
    } catch (error) {
      this.#alarmAt = 0;
      this.#open = null;
      throw error;
    }
  }

  #load(): OpenState {
    if (!this.#open) {
      const journal = new SqlJournal(this.ctx.storage.sql);
      this.#open = { journal, meter: new Meter(journal.load(), journal), facts: journal.loadFacts() };
    }
    return this.#open;
  }

  /** Makes sure that an alarm goes off at `time` or before. After eviction the alarm is simply set again. */
  #scheduleAlarm(time: number | null, now: number): void {
    if (time === null || (this.#alarmAt > now && this.#alarmAt <= time)) return;
    this.#alarmAt = time;
    // Not awaited on purpose: the output gate holds back every answer until the alarm is stored too.
    void this.ctx.storage.setAlarm(time);
  }
}

function storeFacts(state: OpenState, facts: KeyFacts): void {
  state.facts = facts;
  state.journal.putFacts(facts);
}
