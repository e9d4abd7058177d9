import { DurableObject } from 'cloudflare:workers';
import type { CallFailure } from './journal.ts';
import {
  type AccountChange,
  accountOf,
  type KeyAccount,
  type KeyFacts,
  refusalOf,
  rotated,
  termsOf,
  withChange,
  withUse,
} from './key_account.ts';
import { type IndexedKey, type IndexPage, KeyIndex } from './key_index.ts';
import {
  accountBy,
  dayUsage,
  keyUsage,
  type OpenState,
  standingOf,
  storeAccount,
  usageOf,
} from './key_state.ts';
import { Meter, type Terms } from './meter.ts';
import type { CallDecision, CallerUsage, KeyEvidence, KeyUsage } from './meter_answers.ts';
import { SqlJournal } from './sql_journal.ts';

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
  #openIndex: KeyIndex | null = null;
  /** When the alarm is known to go off, Unix milliseconds; 0 if unknown. */
  #alarmAt = 0;

  /**
   * Decides on one metered call and counts it if admitted.
   * @param id random number of the call; a repeated id is the same call, so admission may safely be retried
   * @param terms of anonymous callers; for keys the account's terms apply
   * @param facts the claims of the key's token; null for anonymous callers
   * @param retryHash 53 bits of the hash of the idempotency key; null without one
   */
  admit(
    id: number,
    terms: Terms,
    facts: KeyFacts | null,
    evidence: KeyEvidence = {},
    retryHash: number | null = null,
  ): CallDecision {
    return this.#transact((state, now) => {
      const { meter } = state;
      if (!facts) return meter.admit(id, terms, now);
      const account = accountBy(state, facts, evidence);
      const refusal = account ? refusalOf(account, facts.issuedAt, now) : 'unissued';
      if (refusal && meter.revokedAt === null) {
        const reading = usageOf(state, account ? termsOf(account) : terms, now);
        return { outcome: refusal, billable: false, retryAfterSeconds: 0, reading };
      }
      const decision = meter.admit(id, account ? termsOf(account) : terms, now, retryHash);
      if (account && decision.outcome === 'admitted') {
        const used = withUse(account, facts.issuedAt);
        if (used !== state.account) storeAccount(state, used);
      }
      return { ...decision, reading: { ...decision.reading, ...standingOf(state, decision.reading) } };
    });
  }

  /**
   * Whether an admitted call with an idempotency key has the same picture and ops as the tries before it. If
   * not, it has failed: it is not charged, and keeps its place in the window.
   * @param content 53 bits of a keyed hash of picture and ops
   */
  isSameContent(id: number, content: number): boolean {
    return this.#transact(({ meter }, now) => meter.isSameContent(id, content, now));
  }

  /**
   * Refunds a failed call. Repeating it changes nothing.
   * @param failure how it failed; Workers of the first version do not send it
   * @returns whether the call is still charged, and the caller's usage after the refund
   */
  giveBack(
    id: number,
    terms: Terms,
    failure: CallFailure = 'refused',
  ): { billable: boolean; reading: CallerUsage } {
    return this.#transact((state, now) => {
      const billable = state.meter.refund(id, failure, now);
      return { billable, reading: usageOf(state, terms, now) };
    });
  }

  /**
   * Records that the call was served and stays counted. A call that is neither settled nor refunded (its
   * isolate died) is taken off the counters after `SETTLE_WITHIN_MS`.
   */
  settle(id: number): void {
    this.#transact(({ meter }, now) => meter.settle(id, now));
  }

  /**
   * The caller's usage. Counts nothing, and stores nothing for callers never seen.
   * @param facts the claims of a key's token
   */
  peek(terms: Terms, facts: KeyFacts | null = null, evidence: KeyEvidence = {}): CallerUsage {
    return this.#transact((state, now) => {
      if (!facts) return usageOf(state, terms, now);
      const account = accountBy(state, facts, evidence);
      const refusal = account ? refusalOf(account, facts.issuedAt, now) : 'unissued';
      const usage = usageOf(state, account ? termsOf(account) : terms, now);
      return { ...usage, ...(refusal && { refusal }) };
    });
  }

  /** Returns at once: a round trip that makes a Worker's clock advance. */
  tick(): void {}

  /**
   * Stores the account of a new key. The Worker calls this on a separate object, so that the key can be
   * looked up before a first call has reached its meter; the first version called it on the meter itself.
   */
  issue(account: KeyFacts & Partial<KeyAccount>): void {
    this.#transact((state) => storeAccount(state, accountOf(account)));
  }

  /**
   * The key as the operator sees it. Stores nothing.
   * @param issued the key as it was issued, used if it has made no call yet
   * @param daysOf a UTC month whose days are added; null for none
   * @returns null if nothing is known of the key
   */
  usage(
    issued: (KeyFacts & Partial<KeyAccount>) | null = null,
    daysOf: number | null = null,
  ): KeyUsage | null {
    return this.#transact((state, now) => {
      const account = state.account ?? (issued && accountOf(issued));
      if (!account) return null;
      const usage = keyUsage(state, account, now);
      return daysOf === null ? usage : { ...usage, days: dayUsage(state, account, daysOf, now) };
    });
  }

  /**
   * Changes the account of a key, from the next call on. Calls counted before keep the price of their plan.
   * @param issued as the key was issued, used if it has made no call yet
   * @returns the key as it is now; null, and nothing is changed, if nothing is known of the key
   */
  change(change: AccountChange, issued: KeyAccount | null): KeyUsage | null {
    return this.#transact((state, now) => {
      const before = state.account ?? issued;
      if (!before) return null;
      if (change.plan !== undefined && change.plan !== before.plan) {
        const { billableCalls } = state.meter.snapshot(termsOf(before), now);
        state.planChanges = withChange(state.planChanges, before.plan, billableCalls, now);
        state.journal.putPlanChanges(state.planChanges);
      }
      storeAccount(state, { ...before, ...change });
      return keyUsage(state, { ...before, ...change }, now);
    });
  }

  /**
   * Replaces the newest token by one issued now; the old one stays valid for `overlapMs` longer. See
   * `rotated`. Repeated with the same time of issue, it changes nothing.
   * @param issuedAt the time of issue in the new token, Unix milliseconds
   * @returns the account as it is now; null if nothing is known of the key, or it is revoked
   */
  rotate(issuedAt: number, overlapMs: number, issued: KeyAccount | null): KeyAccount | null {
    return this.#transact((state, now) => {
      const before = state.account ?? issued;
      if (!before || state.meter.revokedAt !== null) return null;
      if (issuedAt === before.newestIssuedAt) return before;
      const account = rotated(before, issuedAt, now, now + overlapMs);
      storeAccount(state, account);
      return account;
    });
  }

  /** Refuses every call of this key from now on. Idempotent; works for keys never used too. */
  revoke(): void {
    this.#transact(({ meter }, now) => meter.revoke(now));
  }

  /**
   * Enters a key into the index of keys. Only the index's object is asked for this and the two methods below.
   */
  enlist(keyId: string, key: IndexedKey): void {
    this.#index.put(keyId, key);
  }

  isListed(keyId: string): boolean {
    return this.#index.has(keyId);
  }

  /** As KeyIndex.page. */
  listed(after: string | null, limit: number): IndexPage | null {
    return this.#index.page(after, limit);
  }

  get #index(): KeyIndex {
    this.#openIndex ??= new KeyIndex(this.ctx.storage.sql);
    return this.#openIndex;
  }

  /** Deletes what has expired; and the whole object, if no counter, key or revocation is left in it. */
  override async alarm(): Promise<void> {
    this.#alarmAt = 0;
    const isEmpty = this.#transact(({ meter, account }, now) => {
      meter.expireTries(now);
      return meter.isEmpty && account === null;
    });
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
      this.#open = {
        journal,
        meter: new Meter(journal.load(), journal),
        account: journal.loadAccount(),
        planChanges: journal.loadPlanChanges(),
      };
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
