import { isolateMemoryPool } from '../core/memory_pool.ts';
import { limitFault, OverloadedFault } from '../faults.ts';
import { mayReceive, mayWork } from './caller_shares.ts';
import type { Caller, Holding, Want } from './holding.ts';
import { Pace } from './pace.ts';
import { PolicyClock } from './policy_clock.ts';
import { chooseTaken } from './pressure.ts';
import type { Reservation } from './reservation.ts';
import { type Waiter, WaitingLine } from './waiting_line.ts';

/** What a client that is refused is told to wait: a few jobs' time. */
const RETRY_AFTER_SECONDS = 5;

/** The longest that one call may wait for memory, all its waits together. */
const MOST_WAITING_MS = 20_000;

/** How often a waiting call looks whether its turn has come. */
const LOOK_MS = 15;

/** Whose turn it is depends on time as well as on what is held: it is determined anew so often at least. */
const TURN_MS = 100;

/**
 * A call that has not given back what was taken from it, or still waits, so long after it should have ended
 * was ended by the runtime.
 */
const LOST_MS = 10_000;

const megabytes = (bytes: number) => Math.ceil(bytes / (1024 * 1024));

/** What the memories of cores may take, idle ones included (src/core/memory_pool.ts). */
interface LimitedMemories {
  limit: number;
}

/** What a budget is run with; all of it may be absent in tests and tools that run one job. */
interface BudgetEnvironment {
  /** Memories of the cores that jobs use; absent, nobody is told. */
  readonly memories?: LimitedMemories | undefined;
  /** Resolves when it is time to look again. */
  readonly pause?: () => Promise<void>;
  /** The time in milliseconds. Absent, it stands still: nobody is ever slow or late. */
  readonly now?: () => number;
  /** Told how many milliseconds a call had to wait, when its wait ends; not of calls that went on at once. */
  readonly onWaited?: ((milliseconds: number) => void) | undefined;
}

/** A file that is about to be received. */
interface ExpectedUpload {
  /** Bytes to begin with, of which so many lie outside of cores. */
  readonly bytes: number;
  readonly outsideCores: number;
  /** The most bytes that it will be extended to. */
  readonly most: number;
  /** Bytes that will come, where that is known, for the total deadline. */
  readonly expectedBytes?: number | undefined;
}

/**
 * The memory that one isolate's calls share, and the policy of who gets it (README.md).
 *
 * Calls do not signal each other. A waiting call polls by a timer of its own, since Workers end a request
 * that waits for nothing but another request's doing as hung. A call that is to give memory back polls as
 * well, since no request can end the I/O of another.
 */
export class MemoryBudget {
  readonly capacity: number;
  readonly places: number;
  readonly #memories: LimitedMemories | undefined;
  readonly #pause: () => Promise<void>;
  readonly #onWaited: ((milliseconds: number) => void) | undefined;
  readonly #clock: PolicyClock;
  readonly #holdings = new Set<Holding>();
  readonly #line = new WaitingLine();
  #tickets = 0;
  /** Counts changes of what is held and of who waits. */
  #version = 0;
  #turn: { readonly waiter: Waiter | undefined; readonly version: number; readonly at: number } | undefined;

  /**
   * @param capacity bytes for all calls together
   * @param places calls that may wait with nothing in hand; one more is refused
   */
  constructor(capacity: number, places: number, environment: BudgetEnvironment = {}) {
    const { memories, pause, now, onWaited } = environment;
    this.capacity = capacity;
    this.places = places;
    this.#memories = memories;
    this.#pause = pause ?? (() => new Promise((done) => setTimeout(done, LOOK_MS)));
    this.#clock = new PolicyClock(now ?? (() => 0));
    this.#onWaited = onWaited;
    this.#changed();
  }

  /** Calls that wait now. */
  get waiting(): number {
    return this.#line.length;
  }

  /** Bytes that nobody holds now. */
  get freeBytes(): number {
    let held = 0;
    for (const { bytes } of this.#holdings) held += bytes;
    return this.capacity - held;
  }

  /**
   * Memory for a job.
   * @param bytes what the job is predicted to hold at its peak
   * @param what the job, for the message: "a 50 megapixel webp"
   * @param signal ends the waiting (the client went away)
   * @param outsideCores the most of these bytes that will be anywhere but in cores at one time
   * @throws Fault 'limit' when it can never fit; OverloadedFault when too many wait, or when it waited for
   * 20 s; the signal's reason when aborted
   */
  reserve(bytes: number, what: string, signal?: AbortSignal, outsideCores = bytes): Promise<Reservation> {
    this.#requirePossible(bytes, what);
    return this.#enter({ bytes, outsideCores, phase: 'working', most: bytes }, undefined, signal);
  }

  /**
   * Memory to receive a file in, before anything is known of it: little at first, and more as it comes
   * (`Reservation.extendTo`). `growTo` then reserves what its job takes. What is beyond the capacity is not
   * asked for.
   * @param caller whose it is, for a fair share (caller_shares.ts, waiting_line.ts)
   * @throws OverloadedFault as `reserve`; the signal's reason when aborted
   */
  receive(upload: ExpectedUpload, signal?: AbortSignal, caller?: Caller): Promise<Reservation> {
    const want = this.#receivingWant(upload.bytes, upload.outsideCores, upload.most);
    const pace = new Pace(this.#clock.read().turning, upload.expectedBytes ?? 0);
    return this.#enter(want, caller, signal, pace);
  }

  #receivingWant(bytes: number, outsideCores: number, most: number): Want {
    const possible = Math.min(bytes, this.capacity);
    return {
      bytes: possible,
      outsideCores: Math.min(outsideCores, possible),
      phase: 'receiving',
      most: Math.min(Math.max(most, bytes), this.capacity),
    };
  }

  #requirePossible(bytes: number, what: string): void {
    if (bytes <= this.capacity) return;
    throw limitFault(
      `Processing ${what} would take ${megabytes(bytes)} MB of memory, but this deployment allows ${megabytes(this.capacity)} MB for one image`,
    );
  }

  #enter(
    want: Want,
    caller: Caller | undefined,
    signal: AbortSignal | undefined,
    pace?: Pace,
  ): Promise<Reservation> {
    signal?.throwIfAborted();
    this.#forgetLost();
    const holding: Holding = {
      ...want,
      caller,
      ticket: this.#tickets++,
      bytes: 0,
      outsideCores: 0,
      pace,
      waiting: false,
      waitedMs: 0,
      taken: undefined,
    };
    const waiter = this.#lineUp(holding, want);
    if (this.#line.newcomers > this.places && this.#next() !== waiter) this.#sendLastAway(waiter);
    return this.#wait(waiter, signal).then(() => this.#reservationOf(holding));
  }

  /** Too many wait: the last in line goes, who is not always the one that came last. */
  #sendLastAway(latest: Waiter): void {
    const last = this.#line.lastNewcomer ?? latest;
    const fault = new OverloadedFault('All places are taken; try again shortly', RETRY_AFTER_SECONDS);
    if (last !== latest) {
      last.holding.taken = { fault, at: this.#clock.read().turning };
      return;
    }
    this.#leave(latest);
    throw fault;
  }

  /** Waits until the holding can become what is wanted. */
  async #become(holding: Holding, want: Want, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (holding.taken) throw holding.taken.fault;
    if (want.bytes <= holding.bytes) return this.#set(holding, want);
    await this.#wait(this.#lineUp(holding, want), signal);
  }

  #lineUp(holding: Holding, want: Want): Waiter {
    const since = this.#clock.read();
    const waiter = { holding, want, since, lookedAt: since.turning, passes: 0, turn: 0, servedAt: 0 };
    holding.waiting = true;
    this.#line.add(waiter);
    this.#changed();
    return waiter;
  }

  #leave(waiter: Waiter): void {
    const { holding, since } = waiter;
    const { wall, turning } = this.#clock.read();
    holding.waiting = false;
    holding.waitedMs += wall - since.wall;
    holding.pace?.resume(since.turning, turning);
    this.#line.remove(waiter);
    this.#changed();
  }

  async #wait(waiter: Waiter, signal: AbortSignal | undefined): Promise<void> {
    const { holding, want } = waiter;
    let hasWaited = false;
    try {
      // Asked first: its way may have become free since it was told to go.
      while (this.#next() !== waiter) {
        if (holding.taken) throw holding.taken.fault;
        const waitedMs = this.#clock.read().wall - waiter.since.wall + holding.waitedMs;
        if (waitedMs >= MOST_WAITING_MS) throw this.#waitedTooLong(waiter);
        this.#press(waiter);
        hasWaited = true;
        await this.#pause();
        signal?.throwIfAborted();
        waiter.lookedAt = this.#clock.read().turning;
      }
      this.#line.countPasses(waiter);
      if (want.phase === 'working' || holding.bytes === 0) this.#line.serve(holding.caller);
      holding.taken = undefined;
      this.#set(holding, want);
    } finally {
      this.#leave(waiter);
      if (hasWaited) this.#onWaited?.(this.#clock.read().wall - waiter.since.wall);
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

  /** Whose turn it is to go on. */
  #next(): Waiter | undefined {
    const at = this.#clock.read();
    if (this.#turn?.version !== this.#version || at.wall - this.#turn.at >= TURN_MS) {
      const waiter = this.#line.next((one) => this.#fits(one), at);
      this.#turn = { waiter, version: this.#version, at: at.wall };
    }
    return this.#turn.waiter;
  }

  /** @param gone holdings that are thought away */
  #fits({ holding, want }: Waiter, gone?: ReadonlySet<Holding>): boolean {
    const beside = [...this.#holdings].filter((other) => other !== holding && !gone?.has(other));
    const held = beside.reduce((sum, { bytes }) => sum + bytes, 0);
    if (held + want.bytes > this.capacity) return false;
    const { caller } = holding;
    return want.phase === 'receiving'
      ? mayReceive(want, caller, beside, this.capacity)
      : mayWork(caller, beside, this.capacity);
  }

  /** Has memory taken from others where that lets a waiting call go on. */
  #press(waiter: Waiter): void {
    const at = this.#clock.read();
    this.#forgetLost();
    if (this.#line.isKeptBack(waiter, at)) return;
    const fitsWithout = (gone: ReadonlySet<Holding>) => this.#fits(waiter, gone);
    for (const one of chooseTaken(waiter, this.#holdings, this.#line, at.turning, fitsWithout)) {
      const slow = one.waiting ? undefined : one.pace?.slowFault(at.turning, RETRY_AFTER_SECONDS);
      one.taken = { fault: slow ?? memoryBusyFault(), at: at.turning };
    }
  }

  /** Writes off what belongs to calls that the runtime ended midway: their owners never give it back. */
  #forgetLost(): void {
    const { wall, turning } = this.#clock.read();
    for (const waiter of [...this.#line.all]) {
      if (wall - waiter.since.wall <= MOST_WAITING_MS + LOST_MS) continue;
      this.#leave(waiter);
      this.#shrink(waiter.holding, 0, 0);
    }
    for (const holding of this.#holdings) {
      if (holding.taken && turning - holding.taken.at > LOST_MS) this.#shrink(holding, 0, 0);
    }
  }

  #reservationOf(owned: Holding): Reservation {
    // Once it has gone over to another reservation, this one holds nothing.
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
        Object.assign(holding, { phase: 'received', pace: undefined, taken: undefined });
        this.#shrink(holding, bytes, outsideCores);
        holding.most = holding.bytes;
      },
      growTo: async (bytes, what, signal, outsideCores = bytes) => {
        this.#requirePossible(bytes, what);
        if (!holding) throw new Error('This reservation has gone over to another');
        holding.pace = undefined;
        await this.#become(holding, { bytes, outsideCores, phase: 'working', most: bytes }, signal);
        const grown = this.#reservationOf(holding);
        holding = undefined;
        return grown;
      },
      shrinkTo: (bytes, outsideCores) => {
        if (holding) this.#shrink(holding, bytes, outsideCores);
      },
      takeFree: (outsideShare) => {
        if (!holding) return;
        const { freeBytes } = this;
        const outsideCores = holding.outsideCores + Math.ceil(freeBytes * outsideShare);
        this.#set(holding, { ...holding, bytes: holding.bytes + freeBytes, outsideCores });
      },
      startSending: (bytes) => {
        if (!holding) return;
        const pace = new Pace(this.#clock.read().turning, bytes);
        Object.assign(holding, { phase: 'sending', pace });
      },
      moved: (bytes) => holding?.pace?.moved(bytes, this.#clock.read().turning),
      requirePace: () => {
        if (holding?.taken) throw holding.taken.fault;
        const { turning } = this.#clock.read();
        if (holding?.pace?.isOverdue(turning)) throw holding.pace.overdueFault(turning);
      },
      [Symbol.dispose]: () => {
        if (holding) this.#shrink(holding, 0, 0);
      },
    };
  }

  #shrink(holding: Holding, bytes: number, outsideCores: number): void {
    this.#set(holding, {
      ...holding,
      bytes: Math.min(holding.bytes, bytes),
      outsideCores: Math.min(holding.outsideCores, outsideCores),
    });
  }

  #set(holding: Holding, { bytes, outsideCores, phase, most }: Want): void {
    Object.assign(holding, { bytes, outsideCores, phase, most });
    if (bytes > 0) this.#holdings.add(holding);
    else this.#holdings.delete(holding);
    this.#changed();
  }

  /** What is held, or who waits, has changed: the turn is determined anew, the memories of cores are told. */
  #changed(): void {
    this.#version++;
    this.#line.arrange(this.#holdings);
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
export const isolateBudget = (
  capacity: number,
  places: number,
  environment: Pick<BudgetEnvironment, 'now' | 'onWaited'> = {},
) => new MemoryBudget(capacity, places, { ...environment, memories: isolateMemoryPool });
