import { SanitizerError } from '../../../client/error.ts';
import type { CallFacts } from '../../../client/index.ts';
import type { EngineProgress } from '../engine/engine.ts';
import { type CallsLeft, callsLeftFrom, initialCallsLeft, secondsUntilNextCall } from './calls_left.ts';

export type CallKind = 'inspect' | 'preview' | 'detect' | 'things' | 'sanitize' | 'convert';

/** One call to be made. */
export interface QueuedCall {
  readonly kind: CallKind;
  /** Requested by the page itself. Such a call never replaces one that the person requested. */
  readonly automatic: boolean;
  /** Whether the service counts the call, so that it must wait for the rate limit. */
  readonly metered: boolean;
  /** Makes the call and stores its result. @returns the facts of the response's headers, if any */
  run(signal: AbortSignal): Promise<CallFacts | null>;
  failed(error: unknown): void;
}

/** The running call. */
export interface RunningCall {
  readonly kind: CallKind;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  /** Null until the first is reported. */
  readonly progress: EngineProgress | null;
}

/**
 * Runs one call at a time, and never starts a metered one before the rate limit allows it. At most one call
 * waits, and starts by itself. A call requested by the person replaces the waiting one.
 */
export class RequestQueue {
  #callsLeft: CallsLeft = initialCallsLeft;
  #running: { call: QueuedCall; abort: AbortController; state: RunningCall } | null = null;
  #waiting: QueuedCall | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #changed: () => void;

  /** @param changed called after every change, and every second while a call waits or runs */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get callsLeft(): CallsLeft {
    return this.#callsLeft;
  }

  get running(): RunningCall | null {
    return this.#running?.state ?? null;
  }

  get waiting(): CallKind | null {
    return this.#waiting?.kind ?? null;
  }

  /** Whole seconds until the next call is possible; 0 when it is possible now. */
  get secondsUntilNextCall(): number {
    return secondsUntilNextCall(this.#callsLeft, Date.now());
  }

  submit(call: QueuedCall): void {
    if (call.automatic && this.#waiting && !this.#waiting.automatic) return;
    this.#waiting = call;
    this.#startNext();
  }

  /** Aborts the running call and drops the waiting one. */
  cancel(): void {
    this.#waiting = null;
    this.#running?.abort.abort();
    this.#running = null;
    this.#startNext();
  }

  reportProgress(progress: EngineProgress): void {
    if (!this.#running) return;
    this.#running.state = { ...this.#running.state, progress };
    this.#changed();
  }

  /** @param facts of an unmetered response; null resets the status, for another caller */
  setRateLimit(facts: CallFacts | null): void {
    this.#callsLeft = facts ? callsLeftFrom(facts, Date.now()) : initialCallsLeft;
    this.#startNext();
  }

  #startNext(): void {
    clearTimeout(this.#timer);
    const call = this.#waiting;
    if (call && !this.#running && (!call.metered || this.#callsLeft.nextCallAt <= Date.now())) {
      this.#waiting = null;
      void this.#run(call);
    }
    if (this.#running || this.secondsUntilNextCall > 0) {
      const waitMs = this.#callsLeft.nextCallAt - Date.now();
      this.#timer = setTimeout(() => this.#startNext(), waitMs > 0 ? Math.min(1000, waitMs) : 1000);
    }
    this.#changed();
  }

  async #run(call: QueuedCall): Promise<void> {
    const abort = new AbortController();
    const running = { call, abort, state: { kind: call.kind, startedAt: Date.now(), progress: null } };
    this.#running = running;
    try {
      const facts = await call.run(abort.signal);
      if (facts && !abort.signal.aborted) this.#callsLeft = callsLeftFrom(facts, Date.now());
    } catch (error) {
      if (!abort.signal.aborted) this.#failed(call, error);
    }
    if (this.#running === running) this.#running = null;
    this.#startNext();
  }

  #failed(call: QueuedCall, error: unknown): void {
    const isServiceError = error instanceof SanitizerError;
    const isRateLimited = isServiceError && error.code === 'rate_limit_exceeded';
    if (isServiceError && error.facts) {
      const retryAfter = isRateLimited ? (error.retryAfter ?? 1) : undefined;
      this.#callsLeft = callsLeftFrom(error.facts, Date.now(), retryAfter);
    }
    if (!isRateLimited) call.failed(error);
    // Another tab or device has used the call. Wait and try again, unless a newer call is waiting.
    else this.#waiting ??= call;
  }
}
