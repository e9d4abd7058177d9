/** A call: its admission, its body and its job are one. */
export interface Call {
  /** What it counts for, in nanoseconds. */
  size: number;
  /** Turns that had been taken when it came or worked last; less than any, where it has ended. */
  seen: number;
  /** Whose it is, as far as the thread is shared; undefined as long as that is not known. */
  caller?: string;
  /** How many calls had come when it did, and by then. */
  came: number;
  last: number;
}

/** A call that counts for less is small: a call of a megapixel is. */
const SMALL = 100_000_000;
/** One that counts for less has longer slices while it is alone; a WebP of a megapixel counts for 210 ms. */
const LARGEST_ALONE = 300_000_000;
/** For so many turns after it has come or worked, a call is recent: the runtime may have ended it midway. */
const RECENT_TURNS = 16;
/** So many small calls are known at once: where there are more, one of them is. */
const MOST_KNOWN = 8;
/** The least share of a slice that a call has beside a small one. */
const LEAST_SLICE = 1 / 8;
/** Calls within this factor are each other's equals. */
const EQUALS = 2;

/**
 * The calls of one isolate that came or worked a moment ago. A small one waits for the network and for
 * counters beside its turns, each time for the slice of whoever works: so slices of others are as much
 * shorter as these are larger.
 */
export class RecentCalls {
  /** The small ones. */
  #known: readonly Call[] = [];
  #turns = 0;
  #come = 0;

  /** A call that comes. @param size what it counts for at the least */
  come(size: number): Call {
    return { size, seen: 0, came: ++this.#come, last: 0 };
  }

  /** A call goes on. */
  notice(call: Call): void {
    call.seen = this.#turns;
    call.last = this.#come;
    if (!this.#isRecent(call) || this.#known.includes(call)) return;
    this.#known = [call, ...this.#known.filter((other) => this.#isRecent(other))].slice(0, MOST_KNOWN);
  }

  /** A job has had its slice. */
  turn(): void {
    this.#turns++;
  }

  /** The share of a slice that a call has: all of it where recent ones are its equals, or larger. */
  shareOf(call: Call): number {
    const least = this.#leastBeside(call, 0);
    return call.size <= EQUALS * least ? 1 : Math.max(LEAST_SLICE, least / call.size / 2);
  }

  /** Whether one that was there a moment ago is small beside it. */
  isBesideSmall(call: Call): boolean {
    return call.size > EQUALS * this.#leastBeside(call, 0);
  }

  /** Whether a call that goes on is not large, and no small one has come or worked since it came. */
  isAlone(call: Call): boolean {
    return call.size < LARGEST_ALONE && EQUALS * call.size < this.#leastBeside(call, call.came);
  }

  #isRecent({ seen, size }: Call): boolean {
    return this.#turns - seen < RECENT_TURNS && size < SMALL;
  }

  /** What the smallest of the others counts for that came or worked since so many had come. */
  #leastBeside(call: Call, since: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const other of this.#known)
      if (other !== call && other.last >= since && this.#isRecent(other)) least = Math.min(least, other.size);
    return least;
  }
}
