import { OverloadedFault } from '../faults.ts';
import { hasJob, mayReceive, mayWork } from './caller_shares.ts';
import type { Caller, Holding, WantedShare } from './holding.ts';
import { fitsIntoKeptPart, heldByOthers, isSmall, leavesKeptPart, needsKeptPart } from './kept_part.ts';
import type { Pace } from './pace.ts';
import { PolicyClock, type Times } from './policy_clock.ts';
import { chooseEvicted } from './pressure.ts';
import { type Waiter, WaitingLine } from './waiting_line.ts';

/** How long a refused client is told to wait: the time of a few jobs. */
export const RETRY_AFTER_SECONDS = 5;

/** The longest that one call may wait for memory, in all its waits together. */
export const MOST_WAITING_MS = 20_000;

/**
 * Whose turn it is depends on time as well as on what is held, so it is determined anew at least this often.
 */
const TURN_MS = 100;

/**
 * If a call should have ended this long ago but still waits, or has not given back memory that was taken from
 * it, then the runtime has ended it.
 */
const ABANDONED_MS = 10_000;

/** Others hold what this job would need. */
export const memoryBusyFault = () =>
  new OverloadedFault('There is no memory for this image just now; try again shortly', RETRY_AFTER_SECONDS);

/** The bytes that the memories of cores may take, including idle ones (src/core/memory_pool.ts). */
export interface LimitedMemories {
  limit: number;
}

/**
 * Who holds how much of one memory, who waits for it, and whose turn it is. Nothing in this class waits
 * itself.
 */
export class SharedMemory {
  readonly capacity: number;
  /** The bytes of these that are kept for small calls. */
  readonly kept: number;
  readonly line: WaitingLine;
  readonly #memories: LimitedMemories | undefined;
  readonly #clock: PolicyClock;
  readonly #holdings = new Set<Holding>();
  #tickets = 0;
  /** Counts changes of what is held and of who waits. */
  #version = 0;
  #turn: { readonly waiter: Waiter | undefined; readonly version: number; readonly at: number } | undefined;

  /**
   * @param capacity bytes for all calls together
   * @param memories whose limit is kept up to date
   * @param now the time in milliseconds
   * @param kept bytes of the capacity for small calls
   */
  constructor(capacity: number, memories: LimitedMemories | undefined, now: () => number, kept = 0) {
    this.capacity = capacity;
    this.kept = kept;
    this.line = new WaitingLine(kept);
    this.#memories = memories;
    this.#clock = new PolicyClock(now);
    this.#changed();
  }

  /** The time now. */
  get time(): Times {
    return this.#clock.read();
  }

  /** Bytes that nobody holds now. */
  get freeBytes(): number {
    let held = 0;
    for (const { bytes } of this.#holdings) held += bytes;
    return this.capacity - held;
  }

  /** A call that holds nothing yet. */
  newcomer(want: WantedShare, caller: Caller | undefined, pace: Pace | undefined): Holding {
    const nothing = {
      bytes: 0,
      outsideCores: 0,
      isSmall: isSmall(want, this.kept),
      waiting: false,
      waitedMs: 0,
      evicted: undefined,
    };
    return { ...want, caller, ticket: this.#tickets++, pace, ...nothing };
  }

  lineUp(holding: Holding, want: WantedShare): Waiter {
    const since = this.time;
    const waiter = {
      holding,
      want,
      since,
      polledAt: since.turning,
      passes: 0,
      turn: 0,
      servedAt: 0,
      needsKeptPart: needsKeptPart(want, this.capacity, this.kept),
      waitsForOwn: false,
    };
    holding.waiting = true;
    this.line.add(waiter);
    this.#changed();
    return waiter;
  }

  leave(waiter: Waiter): void {
    const { holding, since } = waiter;
    const { wall, turning } = this.time;
    holding.waiting = false;
    holding.waitedMs += wall - since.wall;
    holding.pace?.resume(since.turning, turning);
    this.line.remove(waiter);
    this.#changed();
  }

  /** The waiting call whose turn it is. */
  next(): Waiter | undefined {
    const at = this.time;
    if (this.#turn?.version !== this.#version || at.wall - this.#turn.at >= TURN_MS) {
      const waiter = this.line.next((one) => this.#fits(one), at);
      this.#turn = { waiter, version: this.#version, at: at.wall };
    }
    return this.#turn.waiter;
  }

  /** Whether a waiting call could go on now. @param gone holdings to leave out */
  #fits({ holding, want }: Waiter, gone?: ReadonlySet<Holding>): boolean {
    const others = [...this.#holdings].filter((other) => other !== holding && !gone?.has(other));
    const held = heldByOthers(others);
    if (held.all + want.bytes > this.capacity) return false;
    const { caller } = holding;
    if (!leavesKeptPart(want, held, this.capacity, this.kept, hasJob(caller, others))) return false;
    const shared = this.capacity - this.kept;
    if (want.phase !== 'receiving') return mayWork(want, caller, others, shared);
    const ofKept = fitsIntoKeptPart(want, caller, held.smallFiles, others, this.kept);
    return mayReceive(want, caller, others, shared, ofKept);
  }

  /** Whether it waits for jobs of its own caller to end, or for their answers to be read. */
  #waitsForOwn({ holding, want }: Waiter): boolean {
    if (want.phase === 'receiving') return false;
    const others = [...this.#holdings].filter((other) => other !== holding);
    return !mayWork(want, holding.caller, others, this.capacity - this.kept);
  }

  /** Takes memory from others if that lets a waiting call go on. */
  press(waiter: Waiter): void {
    const at = this.time;
    this.forgetLost();
    if (this.line.isKeptBack(waiter, at)) return;
    const fitsWithout = (gone: ReadonlySet<Holding>) => this.#fits(waiter, gone);
    for (const one of chooseEvicted(waiter, this.#holdings, this.line, at.turning, fitsWithout)) {
      const slow = one.waiting ? undefined : one.pace?.slowFault(at.turning, RETRY_AFTER_SECONDS);
      one.evicted = { fault: slow ?? memoryBusyFault(), at: at.turning };
    }
  }

  /** Writes off what belongs to calls that the runtime ended midway: their owners never give it back. */
  forgetLost(): void {
    const { wall, turning } = this.time;
    for (const waiter of [...this.line.all]) {
      if (wall - waiter.since.wall <= MOST_WAITING_MS + ABANDONED_MS) continue;
      this.leave(waiter);
      this.shrink(waiter.holding, 0, 0);
    }
    for (const holding of this.#holdings) {
      if (holding.evicted && turning - holding.evicted.at > ABANDONED_MS) this.shrink(holding, 0, 0);
    }
  }

  shrink(holding: Holding, bytes: number, outsideCores: number): void {
    this.set(holding, {
      ...holding,
      bytes: Math.min(holding.bytes, bytes),
      outsideCores: Math.min(holding.outsideCores, outsideCores),
    });
  }

  /** The call gets what it waited for. */
  become(holding: Holding, want: WantedShare): void {
    if (want.phase === 'working') holding.isSmall = isSmall(want, this.kept);
    this.set(holding, want);
  }

  set(holding: Holding, { bytes, outsideCores, phase, most, isLong }: WantedShare): void {
    Object.assign(holding, { bytes, outsideCores, phase, most, isLong });
    holding.isSmall &&= bytes <= this.kept;
    if (bytes > 0) this.#holdings.add(holding);
    else this.#holdings.delete(holding);
    this.#changed();
  }

  /**
   * What is held, or who waits, has changed: determines the turn anew and updates the limit for cores'
   * memories.
   */
  #changed(): void {
    this.#version++;
    this.line.arrange(this.#holdings);
    for (const waiter of this.line.all) waiter.waitsForOwn = this.#waitsForOwn(waiter);
    if (!this.#memories) return;
    let outside = 0;
    for (const { outsideCores } of this.#holdings) outside += outsideCores;
    this.#memories.limit = this.capacity - outside;
  }
}
