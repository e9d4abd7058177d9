import { ApiError } from '../answers/errors.ts';

/** Wrong credentials from one address per window that are answered as such; further ones get 429. */
export const MAX_FAILURES = 30;
const WINDOW_MS = 60_000;
/** Most addresses remembered; the oldest makes room for a new one. */
export const MAX_ADDRESSES = 4096;

interface Failures {
  readonly since: number;
  readonly count: number;
}

/**
 * Counts wrong credentials by address, in windows that begin with the first failure. Kept in the memory of
 * one isolate, so that a flood of them asks no Durable Object and costs no storage.
 *
 * It slows down one address and ends loops of misconfigured clients. It does not stop someone with many
 * addresses, and each isolate counts separately: what keeps credentials safe is their length.
 */
export class FailureThrottle {
  readonly #failures = new Map<string, Failures>();

  /**
   * Counts one failure.
   * @returns whole seconds that the address is blocked for; 0 if it is not
   */
  add(address: string, now: number): number {
    const { since, count } = this.#current(address, now) ?? { since: now, count: 0 };
    this.#failures.set(address, { since, count: count + 1 });
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= MAX_ADDRESSES) break;
      this.#failures.delete(oldest);
    }
    return count < MAX_FAILURES ? 0 : this.secondsLeft(address, now);
  }

  /** Whole seconds that an address is blocked for; 0 if it is not. */
  secondsLeft(address: string, now: number): number {
    const failures = this.#current(address, now);
    if (!failures || failures.count < MAX_FAILURES) return 0;
    return Math.ceil((failures.since + WINDOW_MS - now) / 1000);
  }

  /**
   * The failures of the current window; none if it is over, or if the clock was set back to before its start.
   */
  #current(address: string, now: number): Failures | undefined {
    const failures = this.#failures.get(address);
    if (!failures) return undefined;
    const isCurrent = now >= failures.since && now < failures.since + WINDOW_MS;
    if (!isCurrent) this.#failures.delete(address);
    return isCurrent ? failures : undefined;
  }
}

/** @param what the wrong things, in the plural, for the message */
export function throttledError(what: string, retryAfterSeconds: number): ApiError {
  const message = `Too many wrong ${what} came from this address. Try again in ${retryAfterSeconds} s.`;
  return new ApiError('rate_limit_exceeded', message, { retryAfterSeconds });
}
