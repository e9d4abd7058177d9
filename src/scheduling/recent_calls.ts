/** A call: its admission, its body and its job together. */
export interface Call {
  /** Its size, in nanoseconds of work. */
  size: number;
  /** The number of turns taken when it last arrived or worked; minus infinity once it has ended. */
  seen: number;
  /** The caller, for sharing the thread; undefined until it is known. */
  caller?: string;
  /** Its number in order of arrival; `last`: how many calls had arrived when it last arrived or worked. */
  came: number;
  last: number;
}

/** A smaller call counts as small; a call with a picture of one megapixel is smaller. */
const SMALL = 100_000_000;
/** A smaller call gets longer slices while it is alone; a WebP of one megapixel counts for 250 ms. */
const LARGEST_ALONE = 300_000_000;
/**
 * A call is recent for this many turns after it arrived or worked; later, the runtime may have ended it
 * midway.
 */
const RECENT_TURNS = 16;
/** At most this many small calls are remembered, the latest ones; if there are more, these stand for all. */
const MOST_KNOWN = 8;
/** The least share of a slice that a call gets beside a small one. */
const LEAST_SLICE = 1 / 8;
/** Calls whose sizes differ by no more than this factor are equals. */
const EQUALS = 2;

/**
 * The calls of one isolate that arrived or worked a moment ago. Between its turns, a small call waits for the
 * network and for counters, each time until the slice of whoever works has ended. So the larger another call
 * is than a small one, the shorter its slices are.
 */
export class RecentCalls {
  /** The recent small calls, the latest first. */
  #known: readonly Call[] = [];
  #turns = 0;
  #arrivals = 0;

  /** A call that arrives. @param size the least that it counts for */
  arrive(size: number): Call {
    return { size, seen: 0, came: ++this.#arrivals, last: 0 };
  }

  /** A call has arrived or works: it is recent from now on. */
  notice(call: Call): void {
    call.seen = this.#turns;
    call.last = this.#arrivals;
    if (!this.#isRecent(call) || this.#known.includes(call)) return;
    this.#known = [call, ...this.#known.filter((other) => this.#isRecent(other))].slice(0, MOST_KNOWN);
  }

  /** A job has used up its slice. */
  turn(): void {
    this.#turns++;
  }

  /** The share of a slice that a call gets: a whole one, unless a recent call is less than half as large. */
  shareOf(call: Call): number {
    const least = this.#leastOther(call, 0);
    return call.size <= EQUALS * least ? 1 : Math.max(LEAST_SLICE, least / call.size / 2);
  }

  /** Whether a recent call is less than half as large. */
  hasSmaller(call: Call): boolean {
    return call.size > EQUALS * this.#leastOther(call, 0);
  }

  /**
   * Whether a call is not large, and no small call up to twice its size has arrived or worked since it
   * arrived.
   */
  isAlone(call: Call): boolean {
    return call.size < LARGEST_ALONE && EQUALS * call.size < this.#leastOther(call, call.came);
  }

  #isRecent({ seen, size }: Call): boolean {
    return this.#turns - seen < RECENT_TURNS && size < SMALL;
  }

  /** The size of the smallest other recent call that arrived or worked once `since` calls had arrived. */
  #leastOther(call: Call, since: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const other of this.#known)
      if (other !== call && other.last >= since && this.#isRecent(other)) least = Math.min(least, other.size);
    return least;
  }
}
