import type { Progress, ProgressCallOptions } from './options.ts';

/**
 * Calls a caller's progress listener.
 * @param failed called with what the listener throws, or with what the promise it returns rejects with
 */
export function tellProgress(
  listener: NonNullable<ProgressCallOptions['onProgress']>,
  progress: Progress,
  failed: (error: unknown) => void,
): void {
  try {
    const told: unknown = listener(progress);
    if (told) Promise.resolve(told).catch(failed);
  } catch (error) {
    failed(error);
  }
}
