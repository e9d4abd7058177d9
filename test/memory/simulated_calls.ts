import { SlowTransferFault } from '../../src/faults.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import type { Caller } from '../../src/memory/holding.ts';
import { KEPT_SHARE } from '../../src/memory/kept_part.ts';
import type { Reservation } from '../../src/memory/reservation.ts';
import { ManualTime } from './timed_budget.ts';

const MEGABYTE = 1024 * 1024;

/** Of the simulated deployment; what its calls take is chosen to fit. */
export const CAPACITY = 70 * MEGABYTE;
/** Of these, what a service keeps for small calls. */
export const KEPT = CAPACITY * KEPT_SHARE;
const PLACES = 16;

/** Milliseconds after which everybody looks, moves and works again. */
export const STEP_MS = 250;

/** How one call goes: its sizes in bytes, rates in bytes a second, times in milliseconds. */
export interface CallPlan {
  /** Absent where each is a caller of its own. */
  readonly caller?: Caller | undefined;
  readonly arrivesAt: number;
  readonly fileBytes: number;
  readonly isLengthDeclared: boolean;
  readonly uploadRate: number;
  /** What the job takes, its file included. */
  readonly jobBytes: number;
  readonly workMs: number;
  readonly answerBytes: number;
  readonly readRate: number;
  /** Bytes after which the upload, and the reading of the answer, stand still for good. */
  readonly stallsAfter: number;
  /** When the client goes away. */
  readonly leavesAt: number;
}

/** How it ended. */
export interface CallEnd {
  readonly kind: 'served' | 'overloaded' | 'stalled' | 'gone';
  /** Milliseconds that it waited for memory in all. */
  readonly waitedMs: number;
  /** Milliseconds from its arrival to its end. */
  readonly tookMs: number;
}

/** Calls that share one budget, in time that passes at once. */
export class Simulation {
  readonly memories = { limit: 0 };
  readonly time = new ManualTime(STEP_MS);
  readonly budget: MemoryBudget;
  readonly #held = new Set<Reservation>();

  /** @param kept bytes for small calls */
  constructor(kept = KEPT) {
    const { now, pause } = this.time;
    this.budget = new MemoryBudget(CAPACITY, PLACES, { now, pause, memories: this.memories, kept });
  }

  /** Runs all calls to their end. @throws Error when what is held is not what was promised at any time */
  async run(plans: readonly CallPlan[], mostMs = 300_000): Promise<CallEnd[]> {
    const ends: (CallEnd | undefined)[] = plans.map(() => undefined);
    plans.forEach((plan, index) => {
      this.#call(plan).then((end) => (ends[index] = end));
    });
    while (ends.includes(undefined)) {
      if (this.time.now() > mostMs) throw new Error(`Not all calls have ended after ${mostMs} ms`);
      await this.time.pass(STEP_MS, () => this.#check());
    }
    return ends as CallEnd[];
  }

  #check(): void {
    let sum = 0;
    for (const { bytes } of this.#held) sum += bytes;
    const { freeBytes } = this.budget;
    if (freeBytes < 0) throw new Error(`${-freeBytes} bytes too many are held`);
    if (sum !== CAPACITY - freeBytes) {
      throw new Error(`${CAPACITY - freeBytes} bytes are counted, but ${sum} are held`);
    }
  }

  async #call(plan: CallPlan): Promise<CallEnd> {
    const { now } = this.time;
    let waitedMs = 0;
    const waiting = async <Result>(what: Promise<Result>): Promise<Result> => {
      const from = now();
      try {
        return await what;
      } finally {
        waitedMs += now() - from;
      }
    };
    const client = new AbortController();
    const step = async () => {
      await this.time.pause();
      if (now() >= plan.leavesAt) client.abort(new Error('gone'));
    };
    while (now() < plan.arrivesAt) await step();
    // Clients leave while their call waits, too.
    const leaving = async () => {
      while (!isOver && !client.signal.aborted) await step();
    };
    let isOver = false;
    leaving();
    let memory: Reservation | undefined;
    try {
      const { signal } = client;
      memory = this.#hold(await waiting(this.budget.receive(upload(plan), signal, plan.caller)));
      const file = memory;
      await this.#transfer(file, plan.fileBytes, plan.uploadRate, plan.stallsAfter, signal, (bytes) => {
        const needed = Math.min(uploadBytes(bytes), upload(plan).most);
        return needed > file.bytes ? waiting(file.extendTo(needed, 0, signal)) : undefined;
      });
      file.received(plan.fileBytes, 0);
      // Meanwhile its job is planned.
      await step();
      memory = this.#hold(await waiting(file.growTo(plan.jobBytes, 'a job', signal, 0)));
      for (let worked = 0; worked < plan.workMs; worked += STEP_MS) {
        await this.time.pause();
        signal.throwIfAborted();
      }
      memory.shrinkTo(plan.answerBytes, 0);
      memory.startSending(plan.answerBytes);
      await this.#transfer(memory, plan.answerBytes, plan.readRate, plan.stallsAfter, signal);
      return { kind: 'served', waitedMs, tookMs: now() - plan.arrivesAt };
    } catch (error) {
      return { kind: kindOf(error as Error), waitedMs, tookMs: now() - plan.arrivesAt };
    } finally {
      isOver = true;
      memory?.[Symbol.dispose]();
    }
  }

  /** Moves bytes, as an owner does who looks several times a second whether it may go on. */
  async #transfer(
    memory: Reservation,
    bytes: number,
    rate: number,
    stallsAfter: number,
    signal: AbortSignal,
    admit: (bytes: number) => Promise<void> | undefined = () => undefined,
  ): Promise<void> {
    const most = Math.max(1, Math.floor((rate * STEP_MS) / 1000));
    for (let moved = 0; moved < bytes; ) {
      const piece = Math.min(most, bytes - moved, Math.max(0, stallsAfter - moved));
      await admit(moved + piece);
      await this.time.pause();
      signal.throwIfAborted();
      if (piece > 0) memory.moved(piece);
      memory.requirePace();
      moved += piece;
    }
  }

  #hold(reservation: Reservation): Reservation {
    this.#held.add(reservation);
    return reservation;
  }
}

/** What an upload holds when so many bytes have come. */
const uploadBytes = (bytes: number) => MEGABYTE * Math.ceil((bytes + 1) / MEGABYTE);

const upload = ({ fileBytes, isLengthDeclared }: CallPlan) => ({
  bytes: MEGABYTE,
  outsideCores: 0,
  most: isLengthDeclared ? uploadBytes(fileBytes) : 26 * MEGABYTE,
  expectedBytes: isLengthDeclared ? fileBytes : undefined,
});

function kindOf(error: Error): CallEnd['kind'] {
  if (error.message === 'gone') return 'gone';
  const { kind } = error as Error & { kind?: string };
  if (error instanceof SlowTransferFault) return 'stalled';
  if (kind === 'overloaded' || kind === 'stalled') return kind;
  throw error;
}
