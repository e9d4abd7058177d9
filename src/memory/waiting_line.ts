import type { Holding, Want } from './holding.ts';
import type { Times } from './policy_clock.ts';

/** A waiting call keeps newcomers back once so many have passed it, or once it has waited for so long. */
const MOST_PASSES = 8;
const PASSED_FOR_MS = 5000;

/** A waiting call looks every few milliseconds; one that has not for so long is passed over. */
const ABSENT_MS = 1000;

/** A waiting call. */
export interface Waiter {
  readonly holding: Holding;
  readonly want: Want;
  /** When it began to wait. */
  readonly since: Times;
  /** When it last looked, by the turning clock. */
  lookedAt: number;
  /** How often somebody who came later went first. */
  passes: number;
}

/** Whether it holds nothing yet. */
export const isNewcomer = ({ holding }: Waiter): boolean => holding.bytes === 0;

/**
 * The waiting calls, in order: those that hold memory go before newcomers, since that memory lies idle, and
 * among equals the older call goes first. A call that fits passes those that do not; once one of these has
 * been passed too often, newcomers behind it wait as well.
 */
export class WaitingLine {
  readonly #waiters: Waiter[] = [];

  get length(): number {
    return this.#waiters.length;
  }

  get newcomers(): number {
    return this.#waiters.filter(isNewcomer).length;
  }

  get all(): readonly Waiter[] {
    return this.#waiters;
  }

  add(waiter: Waiter): void {
    const at = this.#waiters.findIndex((other) => goesBefore(waiter, other));
    this.#waiters.splice(at < 0 ? this.#waiters.length : at, 0, waiter);
  }

  remove(waiter: Waiter): void {
    const at = this.#waiters.indexOf(waiter);
    if (at >= 0) this.#waiters.splice(at, 1);
  }

  /** Counts that a newcomer goes on while others ahead of it still wait. */
  countPasses(waiter: Waiter): void {
    if (isNewcomer(waiter)) for (const other of this.#ahead(waiter)) other.passes++;
  }

  /** Whether a call ahead of it was passed too often. */
  isKeptBack(waiter: Waiter, at: Times): boolean {
    if (!isNewcomer(waiter)) return false;
    return this.#ahead(waiter).some((other) => isPresent(other, at) && isAged(other, at));
  }

  /** The one whose turn it is, if any. */
  next(fits: (waiter: Waiter) => boolean, at: Times): Waiter | undefined {
    return this.#waiters.find(
      (waiter) => isPresent(waiter, at) && !this.isKeptBack(waiter, at) && fits(waiter),
    );
  }

  /** Calls behind `waiter` that hold memory, the last first. */
  holdersBehind(waiter: Waiter): Holding[] {
    return this.#waiters
      .slice(this.#waiters.indexOf(waiter) + 1)
      .filter((other) => !isNewcomer(other))
      .map(({ holding }) => holding)
      .reverse();
  }

  #ahead(waiter: Waiter): Waiter[] {
    return this.#waiters.slice(0, this.#waiters.indexOf(waiter));
  }
}

const isPresent = ({ lookedAt }: Waiter, { turning }: Times) => turning - lookedAt <= ABSENT_MS;

const isAged = ({ passes, since }: Waiter, { wall }: Times) =>
  passes >= MOST_PASSES || wall - since.wall >= PASSED_FOR_MS;

function goesBefore(a: Waiter, b: Waiter): boolean {
  if (isNewcomer(a) !== isNewcomer(b)) return isNewcomer(b);
  return a.holding.ticket < b.holding.ticket;
}
