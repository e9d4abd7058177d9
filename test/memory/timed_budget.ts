import { MemoryBudget } from '../../src/memory/budget.ts';
import type { Reservation } from '../../src/memory/reservation.ts';

/** Turns of the microtask queue after which everybody who was woken waits again. */
const SETTLING_TURNS = 16;

/** Lets all who were woken go on until they wait for time again. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < SETTLING_TURNS; turn++) await null;
}

/** Time that passes when a test says so; for `MemoryBudget`. */
export class ManualTime {
  #now = 0;
  #sleepers: (() => void)[] = [];
  readonly #stepMs: number;

  /** @param stepMs those who pause look again after so long */
  constructor(stepMs = 20) {
    this.#stepMs = stepMs;
  }

  readonly now = (): number => this.#now;

  readonly pause = (): Promise<void> => new Promise((wake) => this.#sleepers.push(wake));

  /** Lets so many milliseconds pass, in steps. @param atStep called after each */
  async pass(ms: number, atStep: () => void = () => {}): Promise<void> {
    await settle();
    for (let passed = 0; passed < ms; passed += this.#stepMs) {
      this.#now += this.#stepMs;
      for (const wake of this.#sleepers.splice(0)) wake();
      await settle();
      atStep();
    }
  }

  /** Lets time pass in one leap, as when a codec stops the event loop. */
  async leap(ms: number): Promise<void> {
    this.#now += ms - this.#stepMs;
    await this.pass(this.#stepMs);
  }
}

/** A budget with its time. */
export function budgetOf(capacity: number, places = 5, memories?: { limit: number }) {
  const time = new ManualTime();
  const { now, pause } = time;
  return { time, budget: new MemoryBudget(capacity, places, { now, pause, memories }) };
}

/** A file all of whose memory is reserved at once. */
export const file = (bytes: number, outsideCores = 0) => ({ bytes, outsideCores, most: bytes });

/** How a promise ended; undefined while it has not. */
export function outcomeOf(promise: Promise<Reservation>) {
  const outcome: { held?: Reservation; error?: Error } = {};
  promise.then(
    (held) => (outcome.held = held),
    (error) => (outcome.error = error),
  );
  return outcome;
}
