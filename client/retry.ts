import { SanitizerError } from './error.ts';

/** A wait before the same call is made again. */
export interface Retry {
  /** The failure that is waited out. */
  readonly error: SanitizerError;
  readonly waitMs: number;
}

export interface RetryPolicy {
  /** Most tries of a call that ends in 5xx (the specification's "about 3 attempts"). */
  readonly attempts: number;
  /** The first wait after a 5xx; doubled each time, and spread so that many clients don't return at once. */
  readonly firstWaitMs: number;
  /** A call that would have to wait longer fails at once. */
  readonly longestWaitMs: number;
  /** Told before each wait. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 3, firstWaitMs: 500, longestWaitMs: 90_000 };

/**
 * Only what may succeed the second time is tried again: 429 once, after the time it states; 5xx with
 * exponential backoff. Everything else fails at once, connections that broke too: whether such a call was
 * served nobody knows.
 * @param random a number from 0 to 1
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
  random: () => number = Math.random,
): Promise<T> {
  let waitedForRate = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const waitMs = error instanceof SanitizerError ? waitFor(error) : undefined;
      if (waitMs === undefined || waitMs > policy.longestWaitMs) throw error;
      policy.onRetry?.({ error: error as SanitizerError, waitMs });
      await sleep(waitMs, signal);
    }

    function waitFor({ status, code, retryAfter }: SanitizerError): number | undefined {
      if (status === 429) {
        if (waitedForRate || retryAfter === undefined) return undefined;
        waitedForRate = true;
        // Its wait is no attempt at a 5xx.
        attempt--;
        return retryAfter * 1000;
      }
      // admin_disabled is a setting, which waiting does not change.
      if (status < 500 || code === 'admin_disabled' || attempt >= policy.attempts) return undefined;
      const backoff = policy.firstWaitMs * 2 ** (attempt - 1) * (0.75 + random() / 2);
      return Math.max(backoff, (retryAfter ?? 0) * 1000);
    }
  }
}

/** @throws the signal's reason when it is aborted first */
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
