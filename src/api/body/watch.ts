/** How often it is asked whether a transfer may go on. */
const WATCH_MS = 250;

/**
 * Watches over one transfer, e.g. reading from a sender who may be slow: while a piece of it is waited for,
 * `check` is called four times a second, and what it throws ends the waiting. One timer serves all pieces:
 * making one for each costs a request more than moving them.
 */
export class Watch implements Disposable {
  readonly #check: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #end: ((error: unknown) => void) | undefined;

  /** @param check throws what the transfer has to end with */
  constructor(check: () => void, everyMs = WATCH_MS) {
    this.#check = check;
    this.#timer = setInterval(() => this.#look(), everyMs);
  }

  /** The result of `piece`, the only one that is waited for now. @throws what it throws, or `check` */
  async over<Result>(piece: Promise<Result>): Promise<Result> {
    try {
      return await new Promise<Result>((done, failed) => {
        this.#end = failed;
        piece.then(done, failed);
      });
    } finally {
      this.#end = undefined;
    }
  }

  /** Asks no more. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const end = this.#end;
    if (!end) return;
    try {
      this.#check();
    } catch (error) {
      end(error);
    }
  }
}
