/** Of one who waits: why it may wait no longer. */
interface Place {
  dismissed?: Error;
}

/**
 * A queue, first come, first served. Who waits looks by itself whether its turn has come, and goes on only as
 * the first: so nobody overtakes.
 */
export class FifoQueue {
  readonly #pause: () => Promise<void>;
  readonly #queue: Place[] = [];

  /** @param pause resolves when it is time to look again */
  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  get length(): number {
    return this.#queue.length;
  }

  /**
   * Waits to be the first and to fit; at once where both are so already.
   * @param fits asked of the first only; what it throws ends the waiting
   * @param enter called in the same turn of the event loop as the `fits` that said yes
   * @throws the signal's reason when aborted, or what it is dismissed with
   */
  async wait<Result>(fits: () => boolean, enter: () => Result, signal?: AbortSignal): Promise<Result> {
    const place: Place = {};
    this.#queue.push(place);
    try {
      while (this.#queue[0] !== place || !fits()) {
        await this.#pause();
        signal?.throwIfAborted();
        // Its way may have become free since.
        if (place.dismissed && (this.#queue[0] !== place || !fits())) throw place.dismissed;
      }
      return enter();
    } finally {
      this.#queue.splice(this.#queue.indexOf(place), 1);
    }
  }

  /** Sends away the one who came last, who learns it when it looks next; never the first. */
  rejectLast(reason: Error): void {
    const last = this.#queue.at(-1);
    if (this.#queue.length > 1 && last) last.dismissed ??= reason;
  }
}
