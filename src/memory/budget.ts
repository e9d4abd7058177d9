import { isolateMemoryPool } from '../core/memory_pool.ts';
import { limitFault, OverloadedFault } from '../faults.ts';
import type { Caller, Holding, WantedShare } from './holding.ts';
import { spareBytes } from './kept_part.ts';
import { Pace } from './pace.ts';
import type { Reservation } from './reservation.ts';
import { type LimitedMemories, MOST_WAITING_MS, RETRY_AFTER_SECONDS, SharedMemory } from './shared_memory.ts';
import type { Waiter } from './waiting_line.ts';

/** Milliseconds between a waiting call's checks whether its turn has come. */
const LOOK_MS = 15;

const megabytes = (bytes: number) => Math.ceil(bytes / (1024 * 1024));

/** The environment of a budget. All of it may be absent in tests and tools that run one job. */
interface BudgetEnvironment {
  /** The memories of cores, whose limit the budget sets. Absent: no limit is set. */
  readonly memories?: LimitedMemories | undefined;
  /** Resolves when it is time to look again. */
  readonly pause?: () => Promise<void>;
  /** The time in milliseconds. Absent: it stands still, so nobody is ever slow or late. */
  readonly now?: () => number;
  /** Bytes of the capacity that are kept for small calls (kept_part.ts). Absent: none. */
  readonly kept?: number | undefined;
  /**
   * Is told how many milliseconds a call has waited, when its wait ends; not told of calls that did not wait.
   */
  readonly onWaited?: ((milliseconds: number) => void) | undefined;
}

/** A file that is about to be received. */
interface ExpectedUpload {
  /** Bytes to begin with, and how many of them lie outside of cores. */
  readonly bytes: number;
  readonly outsideCores: number;
  /** The most bytes that it will grow to. */
  readonly most: number;
  /** The length of the upload in bytes, if known; it sets the total deadline. */
  readonly expectedBytes?: number | undefined;
}

/**
 * The memory that one isolate's calls share, and the policy of who gets it (README.md).
 *
 * Calls do not signal each other. A waiting call polls with a timer of its own, since Workers end a request
 * as hung if it only waits for another request. A call that has to give memory back polls as well, since no
 * request can end the I/O of another.
 */
export class MemoryBudget {
  readonly places: number;
  readonly #shared: SharedMemory;
  readonly #pause: () => Promise<void>;
  readonly #onWaited: ((milliseconds: number) => void) | undefined;

  /**
   * @param capacity bytes for all calls together
   * @param places calls that may wait while they hold nothing; one more is refused
   */
  constructor(capacity: number, places: number, environment: BudgetEnvironment = {}) {
    const { memories, pause, now, onWaited, kept } = environment;
    this.places = places;
    this.#shared = new SharedMemory(capacity, memories, now ?? (() => 0), kept);
    this.#pause = pause ?? (() => new Promise((done) => setTimeout(done, LOOK_MS)));
    this.#onWaited = onWaited;
  }

  /** Bytes for all calls together. */
  get capacity(): number {
    return this.#shared.capacity;
  }

  /** The number of calls that wait now. */
  get waiting(): number {
    return this.#shared.line.length;
  }

  /** Bytes that nobody holds now. */
  get freeBytes(): number {
    return this.#shared.freeBytes;
  }

  /**
   * Reserves memory for a job.
   * @param bytes what the job is predicted to hold at its peak
   * @param what the job, for the message: "a 50 megapixel webp"
   * @param signal ends the wait (the client went away)
   * @param outsideCores the most of these bytes that will lie outside of cores at one time
   * @param held what the call of the job holds already; it grows into the result
   * @param isLong the job announces to work for long
   * @throws Fault 'limit' when it can never fit; OverloadedFault when too many calls wait, or when this one
   * has waited for 20 s; the signal's reason when aborted
   */
  reserve(
    bytes: number,
    what: string,
    signal?: AbortSignal,
    outsideCores = bytes,
    held?: Reservation,
    isLong = false,
  ): Promise<Reservation> {
    if (held) return held.growTo(bytes, what, signal, outsideCores, isLong);
    this.#requirePossible(bytes, what);
    return this.#enter({ bytes, outsideCores, phase: 'working', most: bytes, isLong }, undefined, signal);
  }

  /**
   * Reserves memory to receive a file in, before anything is known of the file: little at first, and more as
   * it arrives (`Reservation.extendTo`). Then `growTo` reserves what its job takes. Never asks for more than
   * the capacity.
   * @param caller whose file it is, for a fair share (caller_shares.ts, waiting_line.ts)
   * @throws OverloadedFault as `reserve`; the signal's reason when aborted
   */
  receive(upload: ExpectedUpload, signal?: AbortSignal, caller?: Caller): Promise<Reservation> {
    const want = this.#receivingWant(upload.bytes, upload.outsideCores, upload.most);
    const pace = new Pace(this.#shared.time.turning, upload.expectedBytes ?? 0);
    return this.#enter(want, caller, signal, pace);
  }

  #receivingWant(bytes: number, outsideCores: number, most: number): WantedShare {
    const possible = Math.min(bytes, this.capacity);
    return {
      bytes: possible,
      outsideCores: Math.min(outsideCores, possible),
      phase: 'receiving',
      most: Math.min(Math.max(most, bytes), this.capacity),
      isLong: false,
    };
  }

  #requirePossible(bytes: number, what: string): void {
    if (bytes <= this.capacity) return;
    throw limitFault(
      `Processing ${what} would take ${megabytes(bytes)} MB of memory, but this deployment allows ${megabytes(this.capacity)} MB for one image`,
    );
  }

  #enter(
    want: WantedShare,
    caller: Caller | undefined,
    signal: AbortSignal | undefined,
    pace?: Pace,
  ): Promise<Reservation> {
    signal?.throwIfAborted();
    const shared = this.#shared;
    shared.forgetLost();
    const holding = shared.newcomer(want, caller, pace);
    const waiter = shared.lineUp(holding, want);
    if (shared.line.newcomers > this.places && shared.next() !== waiter) this.#sendLastAway(waiter);
    return this.#wait(waiter, signal).then(() => this.#reservationOf(holding));
  }

  /** Too many calls wait: the last in line is refused, which is not always the latest. */
  #sendLastAway(latest: Waiter): void {
    const last = this.#shared.line.lastNewcomer ?? latest;
    const fault = new OverloadedFault('All places are taken; try again shortly', RETRY_AFTER_SECONDS);
    if (last !== latest) {
      last.holding.evicted = { fault, at: this.#shared.time.turning };
      return;
    }
    this.#shared.leave(latest);
    throw fault;
  }

  /** Waits until the holding can become what `want` says. */
  async #become(holding: Holding, want: WantedShare, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (holding.evicted) throw holding.evicted.fault;
    if (want.bytes <= holding.bytes) return this.#shared.set(holding, want);
    await this.#wait(this.#shared.lineUp(holding, want), signal);
  }

  async #wait(waiter: Waiter, signal: AbortSignal | undefined): Promise<void> {
    const { holding, want } = waiter;
    let hasWaited = false;
    try {
      // Checked first: the call may be able to go on although it was told to give its memory back.
      while (this.#shared.next() !== waiter) {
        if (holding.evicted) throw holding.evicted.fault;
        const waitedMs = this.#shared.time.wall - waiter.since.wall + holding.waitedMs;
        if (waitedMs >= MOST_WAITING_MS) throw this.#waitedTooLong(waiter);
        this.#shared.press(waiter);
        hasWaited = true;
        await this.#pause();
        signal?.throwIfAborted();
        waiter.polledAt = this.#shared.time.turning;
      }
      this.#shared.line.countPasses(waiter);
      if (want.phase === 'working' || holding.bytes === 0) this.#shared.line.serve(holding.caller);
      holding.evicted = undefined;
      this.#shared.become(holding, want);
    } finally {
      this.#shared.leave(waiter);
      if (hasWaited) this.#onWaited?.(this.#shared.time.wall - waiter.since.wall);
    }
  }

  #waitedTooLong({ want, holding }: Waiter): OverloadedFault {
    const missing = megabytes(want.bytes - holding.bytes);
    return new OverloadedFault(
      `This call waited ${MOST_WAITING_MS / 1000} s for ${missing} MB of memory, of which ` +
        `${Math.floor(this.freeBytes / (1024 * 1024))} MB became free; try again shortly`,
      RETRY_AFTER_SECONDS,
    );
  }

  #reservationOf(owned: Holding): Reservation {
    // Undefined once the holding has passed to another reservation; then this one holds nothing.
    let holding: Holding | undefined = owned;
    return {
      get bytes() {
        return holding?.bytes ?? 0;
      },
      extendTo: async (bytes, outsideCores, signal) => {
        if (!holding) return;
        await this.#become(holding, this.#receivingWant(bytes, outsideCores, holding.most), signal);
      },
      received: (bytes, outsideCores) => {
        if (!holding) return;
        Object.assign(holding, { phase: 'received', pace: undefined, evicted: undefined });
        this.#shared.shrink(holding, bytes, outsideCores);
        holding.most = holding.bytes;
      },
      growTo: async (bytes, what, signal, outsideCores = bytes, isLong = false) => {
        this.#requirePossible(bytes, what);
        if (!holding) throw new Error('This reservation has gone over to another');
        holding.pace = undefined;
        const want: WantedShare = { bytes, outsideCores, phase: 'working', most: bytes, isLong };
        await this.#become(holding, want, signal);
        const grown = this.#reservationOf(holding);
        holding = undefined;
        return grown;
      },
      shrinkTo: (bytes, outsideCores) => {
        if (holding) this.#shared.shrink(holding, bytes, outsideCores);
      },
      takeFree: (outsideShare) => {
        if (!holding) return;
        const spare = spareBytes(this.freeBytes, this.#shared.kept);
        const outsideCores = holding.outsideCores + Math.ceil(spare * outsideShare);
        this.#shared.set(holding, { ...holding, bytes: holding.bytes + spare, outsideCores });
      },
      startSending: (bytes) => {
        if (!holding) return;
        const pace = new Pace(this.#shared.time.turning, bytes);
        Object.assign(holding, { phase: 'sending', pace });
      },
      moved: (bytes) => holding?.pace?.moved(bytes, this.#shared.time.turning),
      requirePace: () => {
        if (holding?.evicted) throw holding.evicted.fault;
        const { turning } = this.#shared.time;
        if (holding?.pace?.isOverdue(turning)) throw holding.pace.overdueFault(turning);
      },
      [Symbol.dispose]: () => {
        if (holding) this.#shared.shrink(holding, 0, 0);
      },
    };
  }
}

/** The environment of an isolate's budget. */
interface IsolateEnvironment extends Pick<BudgetEnvironment, 'now' | 'onWaited' | 'kept'> {
  /** Collects dropped memories. Absent if the runtime can't be asked to. */
  readonly collect?: (() => void) | undefined;
}

/** The budget for the isolate's own memories. Make one for each isolate. */
export function isolateBudget(
  capacity: number,
  places: number,
  { collect, ...environment }: IsolateEnvironment = {},
): MemoryBudget {
  isolateMemoryPool.collect = collect;
  return new MemoryBudget(capacity, places, { ...environment, memories: isolateMemoryPool });
}
