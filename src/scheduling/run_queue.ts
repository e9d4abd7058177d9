/** A job that waits for its turn. */
interface Waiting extends QueuedJob {
  /** As powerOf says of its size. */
  readonly power: number;
  /** The number of turns taken when it began to wait. */
  readonly since: number;
  /** The number of turns taken when it last checked. */
  checkedAt: number;
  /** How often others have yielded to it since it last checked. */
  yieldedTo: number;
}

/** A job as the queue sees it. */
export interface QueuedJob {
  /** Nanoseconds of work that it counts for. */
  readonly size: number;
  /** The caller: jobs of one caller take their turns one after the other. Absent: a caller of its own. */
  readonly caller?: string | undefined;
  /** The call's number in order of arrival, the same for all its turns. */
  readonly came: number;
  /** Whether a small call is recent by now: such a call waits for the event loop, not in this queue. */
  readonly hasSmallCall?: () => boolean;
}

/** A job goes before jobs that are more than this many times as large. */
const TIMES_AS_LARGE = 4;

/** The share of all turns that large jobs get, however many small jobs arrive after them. */
export const LEAST_SHARE = 1 / 4;

/**
 * Turns that a lone caller's jobs take in a round of the event loop. Whoever arrives waits for no more of
 * them; fewer would cost the caller more, because in each round the runtime sleeps a millisecond. Long jobs
 * take one: such a caller waits for seconds anyway.
 */
const MOST_IN_ROUND = 3;

/** A job of more nanoseconds is long; photographs of 12 megapixels with faces are not. */
const LONG = 2_000_000_000;

/** Whether a job is long, which limits its share of memory and turns. @param size nanoseconds of its work */
export const isLong = (size: number): boolean => size > LONG;

/**
 * A job that does not check while others let it go first this often for each waiting job was ended midway by
 * the runtime: by then every waiting job has checked twice.
 */
const MOST_YIELDS = 3;

/**
 * The jobs of one isolate that wait for the thread. Small jobs go before large ones, so that a small call
 * hardly waits for a large one. Jobs within a factor of each other share evenly: otherwise new jobs would
 * hold up those that are nearly done.
 *
 * Callers share evenly as well, however many jobs each has. While anybody else is there, at most one job of a
 * caller works in a round of the event loop: among those of about its size, the one that arrived first. A
 * lone caller's jobs have at most three turns in a round, long ones one. So a caller's jobs end one after the
 * other, and give back the memory that they hold.
 *
 * Nobody is told that its turn has come, because in a Worker a request may not wait for another. Each job
 * waits for turns of the event loop of its own, and checks each time whether it must let another job go
 * first.
 */
export class RunQueue {
  readonly #giveTurn: () => Promise<void>;
  readonly #waiting = new Set<Waiting>();
  /** The turn at which each caller last worked. */
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
  async turn(queued: QueuedJob): Promise<void> {
    const at = this.#turns;
    const job: Waiting = { ...queued, power: powerOf(queued.size), since: at, checkedAt: at, yieldedTo: 0 };
    this.#waiting.add(job);
    try {
      do {
        await this.#giveTurn();
        job.yieldedTo = 0;
      } while (this.#isKeptBack(job));
      this.#turns++;
      if (job.caller !== undefined) this.#workedAt.set(job.caller, this.#turns);
    } finally {
      this.#waiting.delete(job);
      if (this.isEmpty) this.#workedAt.clear();
    }
  }

  /** Whether another waiting job goes first. */
  #isKeptBack(job: Waiting): boolean {
    const all = [...this.#waiting];
    const { checkedAt } = job;
    job.checkedAt = this.#turns;
    const isShared = job.hasSmallCall?.() || all.some(({ caller }) => caller !== job.caller);
    const mostInRound = isLong(job.size) ? 1 : MOST_IN_ROUND;
    if (!isShared && job.caller !== undefined && this.#turns - checkedAt >= mostInRound) return true;
    const own = isShared && job.caller !== undefined ? all.filter((other) => isAnother(other, job)) : [];
    const earlier = own.find((other) => other.power === job.power && other.came < job.came);
    if (earlier) return this.#yieldTo(earlier);
    const smaller = all.filter((other) => other.size * TIMES_AS_LARGE < job.size);
    if (this.#turns - job.since + 1 >= (all.length - smaller.length) / LEAST_SHARE) return false;
    const first = smaller[0] ?? own.find((other) => other.power < job.power);
    if (first) return this.#yieldTo(first);
    return own.length > 0 && (this.#workedAt.get(job.caller ?? '') ?? 0) > checkedAt;
  }

  #yieldTo(first: Waiting): true {
    if (++first.yieldedTo > MOST_YIELDS * this.#waiting.size) this.#waiting.delete(first);
    return true;
  }
}

const isAnother = (one: Waiting, other: Waiting) => one !== other && one.caller === other.caller;

/**
 * Jobs of the same power are of about the same size. Among the jobs of one caller only the power and the
 * order of arrival decide: if the ratio of two sizes did, three jobs could wait for each other in a ring.
 */
const powerOf = (size: number): number => Math.floor(Math.log(Math.max(1, size)) / Math.log(TIMES_AS_LARGE));
