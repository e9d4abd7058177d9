import type { Progress, ProgressCallOptions } from './options.ts';

/**
 * Tells a caller's listener.
 * @param failed is given what the listener throws, or what a promise that it returns rejects with
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
