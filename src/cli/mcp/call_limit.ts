/** A call that waits, and how many bytes its message has. */
interface WaitingCall {
  readonly take: () => void;
  readonly bytes: number;
}

/**
 * Lets few calls work at once: each holds its picture, and a message of a hundred bytes can name one of
 * hundreds of megabytes. The others wait in the order in which they came, before anything is read for them.
 */
export class CallLimit {
  readonly #most: number;
  #working = 0;
  readonly #waiting = new Set<WaitingCall>();
  #onFewer: (() => void)[] = [];

  /** @param most calls that work at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Bytes of the messages of calls that wait. */
  get waitingBytes(): number {
    let sum = 0;
    for (const { bytes } of this.#waiting) sum += bytes;
    return sum;
  }

  /**
   * Works when it is this call's turn.
   * @param bytes that are held while it waits
   * @throws what `work` throws; the signal's reason if it is aborted while the call waits
   */
  async run<Result>(signal: AbortSignal, bytes: number, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (this.#working >= this.#most) await this.#turn(signal, bytes);
    else this.#working++;
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) next.take();
      else this.#working--;
    }
  }

  /** Resolves once fewer than so many calls wait, and their messages have fewer bytes than that. */
  async fewerThan(most: number, bytes: number): Promise<void> {
    while (this.#waiting.size >= most || this.waitingBytes >= bytes)
      await new Promise<void>((resolve) => this.#onFewer.push(resolve));
  }

  /** Resolves with the place of a call that has ended. */
  #turn(signal: AbortSignal, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(call);
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
      const call = { take, bytes };
      this.#waiting.add(call);
      signal.addEventListener('abort', abort);
    });
  }
}
