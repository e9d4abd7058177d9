import { isolateMemories } from '../../wasm/memories.ts';
import { limitFault, OverloadedFault } from '../faults.ts';

/** A share of the isolate's memory, held until disposed of. */
export interface Reservation extends Disposable {
  /** Gives back all but so many bytes, of which so many lie outside of cores. Never more than is held. */
  shrinkTo(bytes: number, outsideCores: number): void;
}

/** What a client is told to wait when the queue is full: a few jobs' time. */
const RETRY_AFTER_SECONDS = 5;

/** Bytes as the figure a person can compare: megabytes, rounded up. */
const megabytes = (bytes: number) => Math.ceil(bytes / (1024 * 1024));

/** How often one who waits looks whether its turn has come. */
const LOOK_MS = 15;

/** What the memories of cores may take, idle ones included (wasm/memories.ts). */
export interface LimitedMemories {
  limit: number;
}

/**
 * The memory that one isolate's jobs share. Every job reserves what it is predicted to hold before anything is opened: what
 * fits goes on, what fits later waits its turn (first come, first served, so that a large job is not starved by small ones),
 * what can never fit is refused at once.
 *
 * Memories that cores leave behind for the next are kept out of what the jobs hold outside of cores: both together stay
 * within the capacity.
 *
 * Who waits looks by a timer of its own. Workers end a request that waits for nothing but another request's doing as hung.
 */
export class MemoryBudget {
  #free: number;
  #outsideCores = 0;
  readonly #queue: object[] = [];

  /**
   * @param capacity bytes for all jobs together
   * @param places jobs that may wait; one more is refused
   * @param memories those of the cores that jobs use; absent, nobody is told
   * @param pause resolves when it is time to look again
   */
  constructor(
    readonly capacity: number,
    readonly places: number,
    private readonly memories?: LimitedMemories,
    private readonly pause: () => Promise<void> = () => new Promise((done) => setTimeout(done, LOOK_MS)),
  ) {
    this.#free = capacity;
    this.#tellMemories();
  }

  /** Jobs that wait now. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Bytes that no job holds now. */
  get freeBytes(): number {
    return this.#free;
  }

  /**
   * @param bytes what the job is predicted to hold at its peak
   * @param what the job, for the message: "a 50 megapixel webp"
   * @param signal ends the waiting (the client went away)
   * @param outsideCores the most of these bytes that will be anywhere but in cores at one time
   * @throws Fault 'limit' when it can never fit; OverloadedFault when the queue is full; the signal's reason when aborted
   */
  reserve(bytes: number, what: string, signal?: AbortSignal, outsideCores = bytes): Promise<Reservation> {
    if (bytes > this.capacity) {
      throw limitFault(
        `Processing ${what} would take ${megabytes(bytes)} MB of memory, but this deployment allows ${megabytes(this.capacity)} MB for one image`,
      );
    }
    signal?.throwIfAborted();
    if (this.#queue.length === 0 && bytes <= this.#free)
      return Promise.resolve(this.#take(bytes, outsideCores));
    if (this.#queue.length >= this.places) {
      throw new OverloadedFault('All places are taken; try again shortly', RETRY_AFTER_SECONDS);
    }
    return this.#wait(bytes, outsideCores, signal);
  }

  async #wait(bytes: number, outsideCores: number, signal: AbortSignal | undefined): Promise<Reservation> {
    const place = {};
    this.#queue.push(place);
    try {
      while (this.#queue[0] !== place || bytes > this.#free) {
        await this.pause();
        signal?.throwIfAborted();
      }
      return this.#take(bytes, outsideCores);
    } finally {
      this.#queue.splice(this.#queue.indexOf(place), 1);
    }
  }

  #take(bytes: number, outsideCores: number): Reservation {
    this.#hold(bytes, outsideCores);
    const held = { bytes, outsideCores };
    const shrinkTo = (toBytes: number, toOutside: number) => {
      const less = {
        bytes: Math.min(held.bytes, toBytes),
        outsideCores: Math.min(held.outsideCores, toOutside),
      };
      this.#hold(less.bytes - held.bytes, less.outsideCores - held.outsideCores);
      Object.assign(held, less);
    };
    return { shrinkTo, [Symbol.dispose]: () => shrinkTo(0, 0) };
  }

  #hold(bytes: number, outsideCores: number): void {
    this.#free -= bytes;
    this.#outsideCores += outsideCores;
    this.#tellMemories();
  }

  #tellMemories(): void {
    if (this.memories) this.memories.limit = this.capacity - this.#outsideCores;
  }
}

/** The budget that goes with the isolate's own memories: one an isolate. */
export const isolateBudget = (capacity: number, places: number) =>
  new MemoryBudget(capacity, places, isolateMemories);
