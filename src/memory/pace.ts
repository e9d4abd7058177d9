import { SlowTransferFault, stalledFault } from '../faults.ts';

/** A transfer that is slower, in bytes per second, loses its memory when others wait for it. */
const LEAST_BYTES_A_SECOND = 64 * 1024;
/** The most milliseconds that a transfer may pause while others wait. */
const GRACE_MS = 2000;
/**
 * A transfer may take this many milliseconds plus the time of its bytes at the rate below, even if nobody
 * waits.
 */
const BASE_MS = 30_000;
const SLOWEST_BYTES_A_SECOND = 16 * 1024;

const kilobytes = (bytes: number) => Math.floor(bytes / 1024);
const seconds = (ms: number) => Math.round(ms / 1000);

/**
 * How fast a transfer moves: an upload that is received, an answer that is read. It is a token bucket: bytes
 * earn time at the least rate, at most two seconds of it. A transfer whose time is used up is slow.
 *
 * Times are milliseconds of the budget's clock.
 */
export class Pace {
  #startedAt: number;
  #paidUntil: number;
  #movedBytes = 0;
  readonly #expectedBytes: number;

  /** @param expectedBytes that will move in all, for the total deadline; 0 if unknown */
  constructor(at: number, expectedBytes: number) {
    this.#startedAt = at;
    this.#paidUntil = at + GRACE_MS;
    this.#expectedBytes = expectedBytes;
  }

  /** Counts progress. */
  moved(bytes: number, at: number): void {
    this.#movedBytes += bytes;
    const earned = (bytes / LEAST_BYTES_A_SECOND) * 1000;
    this.#paidUntil = Math.min(at + GRACE_MS, Math.max(this.#paidUntil, at) + earned);
  }

  /** Resumes a transfer that had to wait for us since `from`: that time does not count against it. */
  resume(from: number, at: number): void {
    this.#startedAt += at - from;
    this.#paidUntil = at + GRACE_MS;
  }

  /** When it became slow, or will become slow if nothing moves. */
  get slowSince(): number {
    return this.#paidUntil;
  }

  isSlow(at: number): boolean {
    return at >= this.#paidUntil;
  }

  #allowedMs(): number {
    return BASE_MS + (Math.max(this.#expectedBytes, this.#movedBytes) / SLOWEST_BYTES_A_SECOND) * 1000;
  }

  /** Whether it has taken longer than a transfer of its size may. */
  isOverdue(at: number): boolean {
    return at - this.#startedAt > this.#allowedMs();
  }

  /** Why a slow transfer ends: others wait for its memory. */
  slowFault(at: number, retryAfterSeconds: number) {
    return new SlowTransferFault(
      `The transfer stalled while others waited for its memory: expected at least ` +
        `${kilobytes(LEAST_BYTES_A_SECOND)} KB a second, but only ${this.#movedBytes} bytes came through in ` +
        `${seconds(at - this.#startedAt)} s, too few of them lately; try again shortly`,
      retryAfterSeconds,
    );
  }

  /** Why an overdue transfer ends. */
  overdueFault(at: number) {
    return stalledFault(
      `The transfer took too long: ${this.#movedBytes} bytes came through in ${seconds(at - this.#startedAt)} s, ` +
        `but one of this size may take ${seconds(this.#allowedMs())} s.`,
    );
  }
}
