import { SanitizerError } from './error.ts';

/** A wait before a call is tried again. */
export interface Retry {
  /** Why the call is tried again. */
  readonly error: SanitizerError;
  readonly waitMs: number;
}

export interface RetryPolicy {
  /** Most attempts for a call that ends in 5xx or breaks off (specification: "about 3"). */
  readonly attempts: number;
  /**
   * Wait after the first of these; doubled each time, with jitter so that clients do not all return at once.
   */
  readonly firstWaitMs: number;
  /** A call that would have to wait longer than this, or longer than its time limit allows, fails at once. */
  readonly longestWaitMs: number;
  /** Called before each wait. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 3, firstWaitMs: 500, longestWaitMs: 90_000 };

/** 5xx codes that do not go away by waiting. */
const SETTINGS_OF_DEPLOYMENT: ReadonlySet<string> = new Set(['admin_disabled', 'misconfigured']);

/** What must be known of a call to repeat it. */
export interface Repetition {
  /** Whether a call that may already have been served can be repeated without harm. */
  readonly isHarmless: boolean;
  /** Whether the body is a stream that was read from: then it can't be sent again. */
  readonly isBodyRead: () => boolean;
  /** Milliseconds left for the call. */
  readonly timeLeft: () => number;
  readonly signal: AbortSignal | undefined;
}

const STREAM_READ = 'The call was not repeated, since its image is a stream and was read already.';

/**
 * Makes a call, and repeats it if a repetition may succeed: after a 429 once, when the stated time has
 * passed; after a 5xx or a broken connection with exponential backoff, the latter only if the call can be
 * repeated without harm. Everything else fails at once.
 * @param random returns a number from 0 to 1, for the jitter
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  policy: RetryPolicy,
  { isHarmless, isBodyRead, timeLeft, signal }: Repetition,
  random: () => number = Math.random,
): Promise<T> {
  let waitedForRate = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const waitMs = error instanceof SanitizerError ? waitFor(error) : undefined;
      if (waitMs === undefined || waitMs > Math.min(policy.longestWaitMs, timeLeft())) throw error;
      if (isBodyRead()) {
        (error as SanitizerError).message += ` ${STREAM_READ}`;
        throw error;
      }
      policy.onRetry?.({ error: error as SanitizerError, waitMs });
      await sleep(waitMs, signal);
    }

    function waitFor({ status, code, retryAfter }: SanitizerError): number | undefined {
      if (status === 429) {
        if (waitedForRate || retryAfter === undefined) return undefined;
        waitedForRate = true;
        // A 429 does not count as an attempt.
        attempt--;
        return retryAfter * 1000;
      }
      const isBroken = code === 'network_error' || code === 'broken_download';
      const isFinal = isBroken ? !isHarmless : status < 500 || SETTINGS_OF_DEPLOYMENT.has(code);
      if (isFinal || attempt >= policy.attempts) return undefined;
      const backoff = policy.firstWaitMs * 2 ** (attempt - 1) * (0.75 + random() / 2);
      return Math.max(backoff, (retryAfter ?? 0) * 1000);
    }
  }
}

/** @throws the signal's reason if it is aborted before the time has passed */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
