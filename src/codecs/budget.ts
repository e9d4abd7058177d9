import { limitFault, OverloadedFault } from '../faults.ts';

/** A share of the isolate's memory, held until disposed of. */
export type Reservation = Disposable;

interface Waiting {
  readonly bytes: number;
  admit(reservation: Reservation): void;
}

/** What a client is told to wait when the queue is full: a few jobs' time. */
const RETRY_AFTER_SECONDS = 5;

/** Bytes as the figure a person can compare: megabytes, rounded up. */
const megabytes = (bytes: number) => Math.ceil(bytes / (1024 * 1024));

/**
 * The memory that one isolate's jobs share. Every job reserves what it is predicted to hold before anything is opened: what
 * fits goes on, what fits later waits its turn (first come, first served, so that a large job is not starved by small ones),
 * what can never fit is refused at once.
 */
export class MemoryBudget {
  #free: number;
  readonly #queue: Waiting[] = [];

  /**
   * @param capacity bytes for all jobs together
   * @param places jobs that may wait; one more is refused
   */
  constructor(
    readonly capacity: number,
    readonly places: number,
  ) {
    this.#free = capacity;
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
   * @throws Fault 'limit' when it can never fit; OverloadedFault when the queue is full; the signal's reason when aborted
   */
  reserve(bytes: number, what: string, signal?: AbortSignal): Promise<Reservation> {
    if (bytes > this.capacity) {
      throw limitFault(
        `Processing ${what} would take ${megabytes(bytes)} MB of memory, but this deployment allows ${megabytes(this.capacity)} MB for one image`,
      );
    }
    signal?.throwIfAborted();
    if (this.#queue.length === 0 && bytes <= this.#free) return Promise.resolve(this.#take(bytes));
    if (this.#queue.length >= this.places) {
      throw new OverloadedFault('All places are taken; try again shortly', RETRY_AFTER_SECONDS);
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { bytes, admit: resolve };
      this.#queue.push(waiting);
      signal?.addEventListener('abort', () => {
        const place = this.#queue.indexOf(waiting);
        if (place < 0) return;
        this.#queue.splice(place, 1);
        reject(signal.reason);
        this.#admitWaiting();
      });
    });
  }

  #take(bytes: number): Reservation {
    this.#free -= bytes;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#free += bytes;
        this.#admitWaiting();
      },
    };
  }

  #admitWaiting(): void {
    for (let next = this.#queue[0]; next && next.bytes <= this.#free; next = this.#queue[0]) {
      this.#queue.shift();
      next.admit(this.#take(next.bytes));
    }
  }
}
