/**
 * Lets few calls work at once: each holds its picture, and a message of a hundred bytes can name one of
 * hundreds of megabytes. The others wait in the order in which they came, before anything is read for them.
 */
export class CallLimit {
  readonly #most: number;
  #working = 0;
  readonly #waiting = new Set<() => void>();
  #onFewer: (() => void)[] = [];

  /** @param most calls that work at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Works when it is this call's turn.
   * @throws what `work` throws; the signal's reason if it is aborted while the call waits
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (this.#working >= this.#most) await this.#turn(signal);
    else this.#working++;
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) next();
      else this.#working--;
    }
  }

  /** Resolves once fewer than so many calls wait. */
  async fewerThan(most: number): Promise<void> {
    while (this.#waiting.size >= most) await new Promise<void>((resolve) => this.#onFewer.push(resolve));
  }

  /** Resolves with the place of a call that has ended. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(take);
        signal.removeEventListener('abort', abort);
        for (const tell of this.#onFewer.splice(0)) tell();
      };
      const take = () => {
        leave();
        resolve();
      };
      const abort = () => {
        leave();
        reject(signal.reason);
      };
      this.#waiting.add(take);
      signal.addEventListener('abort', abort);
    });
  }
}
