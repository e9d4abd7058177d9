import type { Journal, Refund } from './journal.ts';
import { isWithinWindow } from './rolling_window.ts';

/**
 * The most refused and aborted calls of one caller that give their place back in any rolling window. Further
 * ones keep their place (docs/api.md).
 */
export const REFUNDS_PER_WINDOW = 20;

/**
 * The most of these that may be aborted calls: enough for an unreliable line. Aborting is a way to start a
 * job without waiting for its result; this limit keeps it from becoming a way around the rate limit.
 */
export const ABORT_REFUNDS_PER_WINDOW = 3;

/** The refunds of one caller in the rolling window. Every change goes to the journal. */
export class Refunds {
  readonly #refunds: Map<number, Refund>;
  readonly #journal: Journal;

  constructor(refunds: ReadonlyMap<number, Refund>, journal: Journal) {
    this.#refunds = new Map(refunds);
    this.#journal = journal;
  }

  get size(): number {
    return this.#refunds.size;
  }

  /** When each was made, Unix milliseconds. */
  get times(): number[] {
    return [...this.#refunds.values()].map(({ at }) => at);
  }

  /** Whether one more call that ended this way may give its place back. */
  allows(failure: Refund['failure']): boolean {
    if (this.#refunds.size >= REFUNDS_PER_WINDOW) return false;
    if (failure === 'refused') return true;
    const aborted = [...this.#refunds.values()].filter((refund) => refund.failure === 'aborted');
    return aborted.length < ABORT_REFUNDS_PER_WINDOW;
  }

  put(id: number, refund: Refund): void {
    this.#refunds.set(id, refund);
    this.#journal.putRefund(id, refund);
  }

  /** Deletes those that have left the window, and sets times in the future to the present. */
  expire(now: number): void {
    for (const [id, refund] of this.#refunds) {
      if (refund.at > now) this.put(id, { ...refund, at: now });
      else if (!isWithinWindow(refund.at, now)) {
        this.#refunds.delete(id);
        this.#journal.deleteRefund(id, refund);
      }
    }
  }
}
