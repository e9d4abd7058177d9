import { SanitizerError } from './error.ts';

/**
 * Default time limit of a call in milliseconds: enough for the service's longest jobs over a slow connection.
 */
export const DEFAULT_TIMEOUT_MS = 300_000;

/** The longest delay that timers of all runtimes support, 24.8 days; longer times mean no limit. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time limit of a call. */
export interface Deadline {
  /** Aborted when the time has passed, or by the caller. */
  readonly signal: AbortSignal;
  /** Milliseconds until then. */
  left(): number;
}

/**
 * Runs a call with a time limit, which also holds if what the call waits for ignores the signal.
 * @param timeoutMs above 0; Infinity for no limit
 * @throws SanitizerError timeout; the reason of `callerSignal`; TypeError for an invalid time; as `run`
 */
export async function withDeadline<T>(
  timeoutMs: number,
  callerSignal: AbortSignal | undefined,
  run: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0))
    throw new TypeError(`Expected timeout to be milliseconds above 0 but received ${timeoutMs}`);
  callerSignal?.throwIfAborted();
  const ended = new AbortController();
  const stop = () => ended.abort(callerSignal?.reason);
  const expire = () => {
    const message = `The call was not done within ${timeoutMs} ms; it may have been served nevertheless.`;
    ended.abort(new SanitizerError('timeout', message, 0));
  };
  const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(expire, timeoutMs);
  callerSignal?.addEventListener('abort', stop, { once: true });
  const end = performance.now() + timeoutMs;
  const aborted = new Promise<never>((_, reject) => {
    ended.signal.addEventListener('abort', () => reject(ended.signal.reason), { once: true });
  });
  try {
    return await Promise.race([run({ signal: ended.signal, left: () => end - performance.now() }), aborted]);
  } finally {
    clearTimeout(timer);
    callerSignal?.removeEventListener('abort', stop);
  }
}
