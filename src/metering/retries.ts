import type { Journal, Try } from './journal.ts';

/** How long the same idempotency key means the same call, in milliseconds. */
export const RETRY_MS = 86_400_000;

/**
 * The most tries of one call that may be served. Each returns a picture: without a limit, one price would buy
 * any number.
 */
export const MAX_TRIES = 10;

/**
 * Calls that are tried several times with the same idempotency key
 * (draft-ietf-httpapi-idempotency-key-header-07). One try of each call is counted; the others only take
 * places in the rolling window. A try with other content is refused. Tries are kept in storage, since a day
 * of them is too much for memory; at most there are as many as the rate limit admits in a day.
 */
export class Retries {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The tries of a call that have not failed, by their ids; one of them is counted. */
  of(hash: number, now: number): Try[] {
    return this.#journal.findTries(hash).filter(({ at }) => isCurrent(at, now));
  }

  /** Adds the first try of a call, which is counted. */
  begin(id: number, hash: number, billable: boolean, now: number): void {
    this.expire(now);
    this.#journal.putTry({ id, hash, at: now, counted: true, billable });
  }

  /**
   * Adds a further try, which is not counted. It expires with the first; otherwise retries could go on
   * forever.
   */
  addTo([first]: readonly Try[], id: number): void {
    if (first) this.#journal.putTry({ ...first, id, counted: false, billable: false });
  }

  /**
   * Whether a try has the same content as the others of its call. The first try that tells its content sets
   * it, for as long as any try has not failed. Otherwise one key could buy ten different pictures for one
   * price.
   * @param content 53 bits of a keyed hash
   */
  isSame(id: number, content: number, now: number): boolean {
    const known = this.#journal.findTry(id);
    if (!known || !isCurrent(known.at, now)) return true;
    const first = this.#journal.findContent(known.hash);
    // Content for the same hash may be left from the day before.
    if (first && isCurrent(first.at, now)) return first.content === content;
    this.#journal.putContent({ hash: known.hash, content, at: known.at });
    return true;
  }

  /** Whether the call that this is a try of is charged; false for a try that is not known. */
  isCharged(id: number, now: number): boolean {
    const hash = this.#journal.findTry(id)?.hash;
    return hash !== undefined && this.of(hash, now).some(({ counted, billable }) => counted && billable);
  }

  /** Records that a call, if it is a try, is free after all. */
  setFree(id: number): void {
    const known = this.#journal.findTry(id);
    if (known) this.#journal.putTry({ ...known, billable: false });
  }

  /**
   * Takes off a try that failed.
   * @returns id of the try that is counted in its place; undefined if it was not counted, or was the only one
   */
  remove(id: number, now: number): number | undefined {
    const known = this.#journal.findTry(id);
    if (!known) return undefined;
    this.#journal.deleteTry(id);
    if (this.#journal.findTries(known.hash).length === 0) this.#journal.deleteContent(known.hash);
    const [heir] = known.counted && isCurrent(known.at, now) ? this.of(known.hash, now) : [];
    if (heir) this.#journal.putTry({ ...heir, counted: true, billable: known.billable });
    return heir?.id;
  }

  /**
   * Sets tries that lie in the future to the present, since the clock has stepped back: a clock that was a
   * year ahead for a moment would keep them for a year.
   */
  stepBackTo(now: number): void {
    const newest = this.#journal.newestTry();
    if (newest !== null && newest > now) this.#journal.moveTriesBackTo(now);
  }

  /** Deletes tries whose key no longer means the same call. */
  expire(now: number): void {
    this.stepBackTo(now);
    const { nextExpiry } = this;
    if (nextExpiry !== null && nextExpiry <= now) this.#journal.deleteTriesUntil(now - RETRY_MS);
  }

  /** Unix milliseconds when `expire` has something to delete; null when nothing is kept. */
  get nextExpiry(): number | null {
    const oldest = this.#journal.oldestTry();
    return oldest === null ? null : oldest + RETRY_MS;
  }
}

function isCurrent(at: number, now: number): boolean {
  return now < at + RETRY_MS;
}
