/** A job that waits for its turn. */
interface Waiting {
  /** Nanoseconds of work that it counts for. */
  readonly size: number;
  /** Turns that others had taken when it began to wait. */
  readonly since: number;
  /** How often others have let it pass since it looked last. */
  letPass: number;
}

/** A job goes before one that is more than so many times as large. */
const TIMES_AS_LARGE = 4;

/** The part of all turns that is left to large jobs, whatever comes after them. */
export const LEAST_SHARE = 1 / 4;

/**
 * By how often, for each that waits, one was let pass and has not looked, every waiting job has looked twice:
 * the runtime has ended that one midway.
 */
const MOST_LET_PASS = 3;

/**
 * The jobs of one isolate that wait for the thread. Small ones go before large ones, so that a small call
 * hardly waits for a large one, but within a factor jobs share evenly, or the last to come would hold up
 * those that are nearly done.
 *
 * Nobody is told that its turn has come: in a Worker a request may not wait for another. Each job waits for
 * turns of the event loop of its own, and looks whether it lets this one pass.
 */
export class RunQueue {
  readonly #giveTurn: () => Promise<void>;
  readonly #waiting = new Set<Waiting>();
  #turns = 0;

  /** @param giveTurn resolves when the event loop has gone round */
  constructor(giveTurn: () => Promise<void>) {
    this.#giveTurn = giveTurn;
  }

  /** Whether no job waits. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Waits for the turn of a job. @param size nanoseconds of work that it counts for */
  async turn(size: number): Promise<void> {
    const job: Waiting = { size, since: this.#turns, letPass: 0 };
    this.#waiting.add(job);
    try {
      do {
        await this.#giveTurn();
        job.letPass = 0;
      } while (this.#isKeptBack(job));
      this.#turns++;
    } finally {
      this.#waiting.delete(job);
    }
  }

  /** Whether somebody who waits goes before it. */
  #isKeptBack(job: Waiting): boolean {
    const all = [...this.#waiting];
    const before = all.filter((other) => other.size * TIMES_AS_LARGE < job.size);
    const [first] = before;
    if (!first || this.#turns - job.since + 1 >= (all.length - before.length) / LEAST_SHARE) return false;
    if (++first.letPass > MOST_LET_PASS * this.#waiting.size) this.#waiting.delete(first);
    return true;
  }
}
