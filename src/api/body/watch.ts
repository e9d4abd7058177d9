/** Milliseconds between two checks whether a transfer may continue. */
const WATCH_MS = 250;

/**
 * Watches one transfer, such as reading from a sender who may be slow. While a piece of it is awaited,
 * `check` is called four times a second, and what it throws ends the waiting. One timer serves all pieces: a
 * timer per piece would cost a request more than moving the bytes.
 */
export class Watch implements Disposable {
  readonly #check: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #end: ((error: unknown) => void) | undefined;

  /** @param check throws the error that is to end the transfer */
  constructor(check: () => void, everyMs = WATCH_MS) {
    this.#check = check;
    this.#timer = setInterval(() => this.#look(), everyMs);
  }

  /**
   * The result of `piece`; only one piece may be awaited at a time. @throws what `piece` or `check` throws
   */
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

  /** Stops the checks. */
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
