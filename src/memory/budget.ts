import { isolateMemoryPool } from '../core/memory_pool.ts';
import { limitFault, OverloadedFault } from '../faults.ts';
import { FifoQueue } from './fifo_queue.ts';

/** A share of the isolate's memory, held until disposed of. */
export interface Reservation extends Disposable {
  /** What it holds now. */
  readonly bytes: number;
  /** Gives back all but so many bytes, of which so many lie outside of cores. Never more than is held. */
  shrinkTo(bytes: number, outsideCores: number): void;
  /**
   * Waits until so much can be held in all; parameters as of `MemoryBudget.reserve`. All that this one holds
   * goes over to the result.
   * @throws what `reserve` throws; OverloadedFault also where several wait of which none can go on (the last
   * gives way), and where files that arrive slowly are in the way for long. This one then still holds what it
   * held
   */
  growTo(bytes: number, what: string, signal?: AbortSignal, outsideCores?: number): Promise<Reservation>;
  /**
   * Takes whatever nobody holds just now.
   * @param outsideShare of which so much may come to lie outside of cores, 0 to 1
   */
  takeFree(outsideShare: number): void;
}

/** What a client is told to wait when the queue is full: a few jobs' time. */
const RETRY_AFTER_SECONDS = 5;

/** Of all the memory, what files may take that are still being received: the rest is for jobs. */
const ARRIVING_SHARE = 0.5;

/** Bytes as the figure a person can compare: megabytes, rounded up. */
const megabytes = (bytes: number) => Math.ceil(bytes / (1024 * 1024));

/** How often one who waits looks whether its turn has come. */
const LOOK_MS = 15;

/** How often a job with its file in hand looks while nothing but arriving files is in its way: some 15 s. */
const MOST_LOOKS_AT_ARRIVALS = 1000;

/** What the memories of cores may take, idle ones included (src/core/memory_pool.ts). */
interface LimitedMemories {
  limit: number;
}

/**
 * What one reservation holds. A job that only receives its file is `arriving`, and `growing` while it waits
 * for the rest.
 */
interface Holding {
  bytes: number;
  outsideCores: number;
  state: 'arriving' | 'growing' | 'working';
}

/**
 * The memory that one isolate's jobs share. Every job reserves what it is predicted to hold before anything
 * is opened: what fits goes on, what fits later waits its turn (first come, first served, so that a large job
 * is not starved by small ones), what can never fit is refused at once.
 *
 * A file is held from its first byte on, when nobody knows yet what its job will take: so a job reserves
 * twice, for receiving and, with what it holds already, for the work. Who waits for the second goes before
 * all who wait for the first. Should those who wait with a file in hand keep each other from going on, the
 * last of them has to come back later.
 *
 * Memories that cores leave behind for the next are kept out of what the jobs hold outside of cores: both
 * together stay within the capacity.
 *
 * Who waits looks by a timer of its own. Workers end a request that waits for nothing but another request's
 * doing as hung.
 */
export class MemoryBudget {
  readonly capacity: number;
  readonly places: number;
  readonly #memories: LimitedMemories | undefined;
  readonly #holdings = new Set<Holding>();
  readonly #entering: FifoQueue;
  readonly #growing: FifoQueue;

  /**
   * @param capacity bytes for all jobs together
   * @param places jobs that may wait with nothing in hand; one more is refused
   * @param memories those of the cores that jobs use; absent, nobody is told
   * @param pause resolves when it is time to look again
   */
  constructor(
    capacity: number,
    places: number,
    memories?: LimitedMemories,
    pause: () => Promise<void> = () => new Promise((done) => setTimeout(done, LOOK_MS)),
  ) {
    this.capacity = capacity;
    this.places = places;
    this.#memories = memories;
    this.#entering = new FifoQueue(pause);
    this.#growing = new FifoQueue(pause);
    this.#tellMemories();
  }

  /** Jobs that wait now. */
  get waiting(): number {
    return this.#entering.length + this.#growing.length;
  }

  /** Bytes that no job holds now. */
  get freeBytes(): number {
    return this.capacity - this.#held();
  }

  /**
   * @param bytes what the job is predicted to hold at its peak
   * @param what the job, for the message: "a 50 megapixel webp"
   * @param signal ends the waiting (the client went away)
   * @param outsideCores the most of these bytes that will be anywhere but in cores at one time
   * @throws Fault 'limit' when it can never fit; OverloadedFault when the queue is full; the signal's reason
   * when aborted
   */
  reserve(bytes: number, what: string, signal?: AbortSignal, outsideCores = bytes): Promise<Reservation> {
    this.#requirePossible(bytes, what);
    return this.#enter({ bytes, outsideCores, state: 'working' }, signal, () => bytes <= this.freeBytes);
  }

  /**
   * Memory to receive a file in, before anything is known of it; `growTo` then reserves what its job takes.
   * @param bytes upper bound of what receiving holds; beyond the capacity, all of it is asked for
   * @param outsideCores how much of that lies outside of cores
   * @throws OverloadedFault when the queue is full; the signal's reason when aborted
   */
  receive(bytes: number, outsideCores: number, signal?: AbortSignal): Promise<Reservation> {
    const most = Math.min(bytes, this.capacity);
    const held: Holding = { bytes: most, outsideCores: Math.min(outsideCores, most), state: 'arriving' };
    return this.#enter(held, signal, () => {
      const arriving = this.#held('arriving');
      const isShareLeft = arriving === 0 || arriving + most <= this.capacity * ARRIVING_SHARE;
      return isShareLeft && most <= this.freeBytes;
    });
  }

  #enter(held: Holding, signal: AbortSignal | undefined, fits: () => boolean): Promise<Reservation> {
    signal?.throwIfAborted();
    const mayEnter = () => this.#growing.length === 0 && fits();
    const { length } = this.#entering;
    if (length >= this.places && !(length === 0 && mayEnter()))
      throw new OverloadedFault('All places are taken; try again shortly', RETRY_AFTER_SECONDS);
    return this.#entering.wait(mayEnter, () => this.#reservationOf(held), signal);
  }

  async #grow(
    from: Holding,
    bytes: number,
    what: string,
    signal: AbortSignal | undefined,
    outsideCores: number,
  ): Promise<Reservation> {
    this.#requirePossible(bytes, what);
    signal?.throwIfAborted();
    const takeOver = () => {
      this.#hold(from, { bytes: 0, outsideCores: 0 });
      return this.#reservationOf({ bytes, outsideCores, state: 'working' });
    };
    if (bytes <= from.bytes) return takeOver();
    const { state } = from;
    from.state = 'growing';
    let looks = 0;
    const fits = () => {
      if (bytes - from.bytes <= this.freeBytes) return true;
      if (this.#held('working') > 0) return false;
      // Nobody works: those who wait here are in the way, or files that may take their time.
      if (this.#held('arriving') === 0) this.#growing.rejectLast(memoryBusyFault());
      else if (looks++ >= MOST_LOOKS_AT_ARRIVALS) throw memoryBusyFault();
      return false;
    };
    try {
      return await this.#growing.wait(fits, takeOver, signal);
    } finally {
      from.state = state;
    }
  }

  #requirePossible(bytes: number, what: string): void {
    if (bytes <= this.capacity) return;
    throw limitFault(
      `Processing ${what} would take ${megabytes(bytes)} MB of memory, but this deployment allows ${megabytes(this.capacity)} MB for one image`,
    );
  }

  #reservationOf(held: Holding): Reservation {
    this.#holdings.add(held);
    this.#tellMemories();
    const shrinkTo = (bytes: number, outsideCores: number) => {
      const less = {
        bytes: Math.min(held.bytes, bytes),
        outsideCores: Math.min(held.outsideCores, outsideCores),
      };
      this.#hold(held, less);
    };
    return {
      get bytes() {
        return held.bytes;
      },
      shrinkTo,
      growTo: (bytes, what, signal, outsideCores = bytes) =>
        this.#grow(held, bytes, what, signal, outsideCores),
      takeFree: (outsideShare) => {
        const { freeBytes } = this;
        const outsideCores = held.outsideCores + Math.ceil(freeBytes * outsideShare);
        this.#hold(held, { bytes: held.bytes + freeBytes, outsideCores });
      },
      [Symbol.dispose]: () => shrinkTo(0, 0),
    };
  }

  #hold(held: Holding, amounts: Pick<Holding, 'bytes' | 'outsideCores'>): void {
    Object.assign(held, amounts);
    if (held.bytes === 0) this.#holdings.delete(held);
    this.#tellMemories();
  }

  #held(state?: Holding['state']): number {
    let sum = 0;
    for (const holding of this.#holdings) if (!state || holding.state === state) sum += holding.bytes;
    return sum;
  }

  #tellMemories(): void {
    if (!this.#memories) return;
    let outside = 0;
    for (const { outsideCores } of this.#holdings) outside += outsideCores;
    this.#memories.limit = this.capacity - outside;
  }
}

/** Others hold what this job would need. */
export const memoryBusyFault = () =>
  new OverloadedFault('There is no memory for this image just now; try again shortly', RETRY_AFTER_SECONDS);

/** The budget that goes with the isolate's own memories: one an isolate. */
export const isolateBudget = (capacity: number, places: number) =>
  new MemoryBudget(capacity, places, isolateMemoryPool);
