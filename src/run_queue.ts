/** A job that waits for its turn. */
interface Waiting extends Turning {
  /** Turns that others had taken when it began to wait. */
  readonly since: number;
  /** Turns that others had taken when it looked last. */
  lookedAt: number;
  /** How often others have let it pass since it looked last. */
  letPass: number;
}

/** What a job is that takes its turn. */
export interface Turning {
  /** Nanoseconds of work that it counts for. */
  readonly size: number;
  /** Whose it is: those of one caller take their turns one after the other. Absent: of nobody else. */
  readonly caller?: string | undefined;
  /** The same for all turns of one call, more for those that came later. */
  readonly came: number;
  /** Whether a small call is there by now: it waits for the event loop, not in this queue. */
  readonly isBesideSmall?: () => boolean;
}

/** A job goes before one that is more than so many times as large. */
const TIMES_AS_LARGE = 4;

/** The part of all turns that is left to large jobs, whatever comes after them. */
export const LEAST_SHARE = 1 / 4;

/**
 * Turns that one caller's jobs take in a round of the event loop while nobody else is there: whoever comes
 * waits for no more, and in each round the runtime sleeps a millisecond.
 */
const MOST_IN_ROUND = 3;

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
 * Callers share evenly as well, however many jobs each has: of one caller's no more than one works in a round
 * of the event loop while anybody else is there, the one that came first among those of about its size, and
 * no more than three else. So its jobs end one after the other, and give back what they hold.
 *
 * Nobody is told that its turn has come: in a Worker a request may not wait for another. Each job waits for
 * turns of the event loop of its own, and looks whether it lets this one pass.
 */
export class RunQueue {
  readonly #giveTurn: () => Promise<void>;
  readonly #waiting = new Set<Waiting>();
  /** At which turn each caller has worked last. */
  readonly #workedAt = new Map<string, number>();
  #turns = 0;

  /** @param giveTurn resolves when the event loop has gone round */
  constructor(giveTurn: () => Promise<void>) {
    this.#giveTurn = giveTurn;
  }

  /** Whether no job waits. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Waits for the turn of a job. */
  async turn(turning: Turning): Promise<void> {
    const job: Waiting = { ...turning, since: this.#turns, lookedAt: this.#turns, letPass: 0 };
    this.#waiting.add(job);
    try {
      do {
        await this.#giveTurn();
        job.letPass = 0;
      } while (this.#isKeptBack(job));
      this.#turns++;
      if (job.caller !== undefined) this.#workedAt.set(job.caller, this.#turns);
    } finally {
      this.#waiting.delete(job);
      if (this.isEmpty) this.#workedAt.clear();
    }
  }

  /** Whether somebody who waits goes before it. */
  #isKeptBack(job: Waiting): boolean {
    const all = [...this.#waiting];
    const { lookedAt } = job;
    job.lookedAt = this.#turns;
    const isShared = job.isBesideSmall?.() || all.some(({ caller }) => caller !== job.caller);
    if (!isShared && job.caller !== undefined && this.#turns - lookedAt >= MOST_IN_ROUND) return true;
    const own = isShared && job.caller !== undefined ? all.filter((other) => isAnother(other, job)) : [];
    const earlier = own.find((other) => powerOf(other) === powerOf(job) && other.came < job.came);
    if (earlier) return this.#letPass(earlier);
    const smaller = all.filter((other) => other.size * TIMES_AS_LARGE < job.size);
    if (this.#turns - job.since + 1 >= (all.length - smaller.length) / LEAST_SHARE) return false;
    const first = smaller[0] ?? own.find((other) => powerOf(other) < powerOf(job));
    if (first) return this.#letPass(first);
    return own.length > 0 && (this.#workedAt.get(job.caller ?? '') ?? 0) > lookedAt;
  }

  #letPass(first: Waiting): true {
    if (++first.letPass > MOST_LET_PASS * this.#waiting.size) this.#waiting.delete(first);
    return true;
  }
}

const isAnother = (one: Waiting, other: Waiting) => one !== other && one.caller === other.caller;

/**
 * Jobs of the same power are of about the same size. Among those of one caller nothing but this and who came
 * first may decide: with the factor between two of them, three could wait for each other in a ring.
 */
const powerOf = ({ size }: Waiting): number =>
  Math.floor(Math.log(Math.max(1, size)) / Math.log(TIMES_AS_LARGE));
