import { DurableObject } from 'cloudflare:workers';
import type { MonthCount } from './journal.ts';
import { Meter, type Reading, type Terms, type Verdict } from './meter.ts';
import { type KeyFacts, SqlJournal } from './sql_journal.ts';

/** What the operator sees of a key. */
export interface KeyRecord extends KeyFacts {
  readonly revokedAt: number | null;
  /** Running UTC month and its counters, then all kept, oldest first. */
  readonly month: number;
  readonly current: MonthCount;
  readonly history: readonly { readonly month: number; readonly count: MonthCount }[];
}

/** What an object has in memory while it runs; the journal holds the same. */
interface Books {
  readonly journal: SqlJournal;
  readonly meter: Meter;
  facts: KeyFacts | null;
}

/**
 * The counter of one caller: one object per key or anonymous address, so that every call of a caller is
 * decided in one place, whichever isolate or machine took it. The window and the counters live in the
 * object's SQLite and survive eviction; a copy in memory saves reading them anew.
 *
 * One clock rules each caller: the object's own `Date.now()`, read once per event. Callers pass no time,
 * since the clocks of isolates differ.
 *
 * Every method does its work in one synchronous block without an `await`, so no two calls interleave, and
 * answers only once the writes are durable (the runtime's output gate). Should storage fail half-way, the
 * block is rolled back and the copy in memory dropped.
 */
export class CallMeter extends DurableObject {
  #open: Books | null = null;
  /** When the alarm is known to go off; 0 when not known. */
  #alarmAt = 0;

  /**
   * Decides on one metered call and takes its place.
   * @param id random number of the call; a repeated id is the same call, so an admission may safely be tried
   * again
   * @param facts of the key, noted with its first call; null for anonymous callers
   */
  admit(id: number, terms: Terms, facts: KeyFacts | null): Verdict {
    return this.#work((books, now) => {
      const verdict = books.meter.admit(id, terms, now);
      if (facts && !books.facts && verdict.outcome === 'admitted') note(books, facts);
      return verdict;
    });
  }

  /**
   * Takes a failed call back. Repeating it changes nothing. @returns whether it is still charged, and the new
   * standing
   */
  giveBack(id: number, terms: Terms): { billable: boolean; reading: Reading } {
    return this.#work(({ meter }, now) => {
      const billable = meter.giveBack(id, now);
      return { billable, reading: meter.read(terms, now) };
    });
  }

  /**
   * The call was served and stays counted; one never settled nor given back (its isolate died) is not
   * counted.
   */
  settle(id: number): void {
    this.#work(({ meter }, now) => meter.settle(id, now));
  }

  /** Where the caller stands; takes nothing, and creates nothing for callers never seen. */
  peek(terms: Terms): Reading {
    return this.#work(({ meter }, now) => meter.read(terms, now));
  }

  /** Answers at once: a round trip during which a Worker's clock moves on. */
  tick(): void {}

  /** Notes a new key, so that it can be looked up before its first call. */
  issue(facts: KeyFacts): void {
    this.#work((books) => note(books, facts));
  }

  /** The key as the operator sees it; null for a key never issued nor used here. */
  usage(): KeyRecord | null {
    return this.#work(({ meter, facts }, now) => {
      if (!facts) return null;
      const { month, calls, billableCalls } = meter.read({ limit: 0, cap: null }, now);
      const current = { calls, billable: billableCalls };
      return { ...facts, revokedAt: meter.revokedAt, month, current, history: meter.history(now) };
    });
  }

  /** Refuses every call of this key from now on. Idempotent; works for keys never used too. */
  revoke(): void {
    this.#work(({ meter }, now) => meter.revoke(now));
  }

  /** Deletes what has aged out; and the whole object, when no counter, key or revocation is left in it. */
  override async alarm(): Promise<void> {
    this.#alarmAt = 0;
    const spent = this.#work(({ meter, facts }) => meter.isEmpty && facts === null);
    if (!spent) return;
    this.#open = null;
    await this.ctx.storage.deleteAll();
  }

  #work<T>(block: (books: Books, now: number) => T): T {
    const now = Date.now();
    try {
      return this.ctx.storage.transactionSync(() => {
        const books = this.#opened();
        books.meter.age(now);
        const result = block(books, now);
        this.#planAlarm(books.meter.nextAgeing(now), now);
        return result;
      });
    } catch (fault) {
      this.#alarmAt = 0;
      this.#open = null;
      throw fault;
    }
  }

  #opened(): Books {
    if (!this.#open) {
      const journal = new SqlJournal(this.ctx.storage.sql);
      this.#open = { journal, meter: new Meter(journal.load(), journal), facts: journal.loadFacts() };
    }
    return this.#open;
  }

  /** Sees to it that an alarm goes off by the time wanted. After eviction the alarm is simply set anew. */
  #planAlarm(wanted: number | null, now: number): void {
    if (wanted === null || (this.#alarmAt > now && this.#alarmAt <= wanted)) return;
    this.#alarmAt = wanted;
    // Not awaited on purpose: the output gate holds back every answer until the alarm is stored too.
    void this.ctx.storage.setAlarm(wanted);
  }
}

function note(books: Books, facts: KeyFacts): void {
  books.facts = facts;
  books.journal.putFacts(facts);
}
