import { type CallFacts, SanitizerError } from '../../client/index.ts';
import { type Standing, secondsUntilOpen, standingFrom, unknownStanding } from './standing.ts';

export type JobKind = 'inspect' | 'preview' | 'detect' | 'sanitize';

/** One metered call to be made. */
export interface Job {
  readonly kind: JobKind;
  /** Asked for by the page, not by the person: gives way to anything the person asks for. */
  readonly automatic: boolean;
  /** Makes the call and puts its result where it belongs. @returns what the answer's headers say */
  run(signal: AbortSignal): Promise<CallFacts>;
  failed(error: unknown): void;
}

/** Progress of the call under way: bytes sent, then the service at work. */
export interface Running {
  readonly kind: JobKind;
  readonly since: number;
  readonly sent: number;
  readonly total: number;
}

/**
 * Makes one metered call at a time, and none before the rate limit allows it: a call that has to wait starts
 * by itself. One job can wait; what the person asks for takes the place of what waits.
 */
export class Desk {
  readonly #changed: () => void;
  #standing: Standing = unknownStanding;
  #running: { job: Job; stop: AbortController; progress: Running } | null = null;
  #waiting: Job | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param changed called after every change, and every second while something waits or runs */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get standing(): Standing {
    return this.#standing;
  }

  get running(): Running | null {
    return this.#running?.progress ?? null;
  }

  get waiting(): JobKind | null {
    return this.#waiting?.kind ?? null;
  }

  /** Seconds until the next call is possible. */
  get secondsUntilOpen(): number {
    return secondsUntilOpen(this.#standing, Date.now());
  }

  request(job: Job): void {
    if (job.automatic && this.#waiting && !this.#waiting.automatic) return;
    this.#waiting = job;
    this.#pump();
  }

  /** Stops what runs and drops what waits. */
  cancel(): void {
    this.#waiting = null;
    this.#running?.stop.abort();
    this.#running = null;
    this.#pump();
  }

  progress(sent: number, total: number): void {
    if (!this.#running) return;
    this.#running.progress = { ...this.#running.progress, sent, total };
    this.#changed();
  }

  /** What an unmetered answer said, or that another key counts now. */
  learn(facts: CallFacts | null): void {
    this.#standing = facts ? standingFrom(facts, Date.now()) : unknownStanding;
    this.#pump();
  }

  #pump(): void {
    clearTimeout(this.#timer);
    const job = this.#waiting;
    if (job && !this.#running && this.#standing.openAt <= Date.now()) {
      this.#waiting = null;
      void this.#run(job);
    }
    if (this.#running || this.secondsUntilOpen > 0) {
      const untilOpen = this.#standing.openAt - Date.now();
      this.#timer = setTimeout(() => this.#pump(), untilOpen > 0 ? Math.min(1000, untilOpen) : 1000);
    }
    this.#changed();
  }

  async #run(job: Job): Promise<void> {
    const stop = new AbortController();
    const running = { job, stop, progress: { kind: job.kind, since: Date.now(), sent: 0, total: 0 } };
    this.#running = running;
    try {
      const facts = await job.run(stop.signal);
      if (!stop.signal.aborted) this.#standing = standingFrom(facts, Date.now());
    } catch (error) {
      if (!stop.signal.aborted) this.#failed(job, error);
    }
    if (this.#running === running) this.#running = null;
    this.#pump();
  }

  #failed(job: Job, error: unknown): void {
    const isOurs = error instanceof SanitizerError;
    const isEarly = isOurs && error.code === 'rate_limit_exceeded';
    if (isOurs && error.facts) {
      this.#standing = standingFrom(error.facts, Date.now(), isEarly ? (error.retryAfter ?? 1) : undefined);
    }
    if (!isEarly) job.failed(error);
    // Another tab or device used the call up: this one waits its turn, unless something else does.
    else this.#waiting ??= job;
  }
}
