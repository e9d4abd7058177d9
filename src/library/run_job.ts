import { home } from '#home';
import type { Runtime } from '../sanitize/runtime.ts';
import { budgetBytes } from './budget_bytes.ts';
import { toImageError } from './image_error.ts';
import { dismissImage, type ImageInput, readImage } from './image_input.ts';
import type { ProgressCallOptions } from './options.ts';
import { tellProgress } from './tell_progress.ts';

/** What every job gets from its call. */
export interface JobRuntime extends Pick<Runtime, 'onProgress'> {
  readonly giveTurn: () => Promise<void>;
  /** Size of the budget that it shares. */
  readonly bytes: number;
}

/**
 * Runs one call. Ops are validated before the image is read, so that a mistake in them costs nothing.
 * @param judge returns the validated ops, or throws
 * @throws ImageError if the image or the ops are refused; the signal's reason when aborted
 */
export async function runJob<O, T>(
  image: ImageInput,
  judge: () => O | Promise<O>,
  options: ProgressCallOptions | undefined,
  job: (file: Uint8Array, ops: O, runtime: JobRuntime, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // A job is ended by the caller's signal, or by a progress listener that fails.
  const ending = new AbortController();
  const end = (reason: unknown) => ending.abort(reason);
  let follow: (() => void) | undefined;
  let signal: AbortSignal | undefined;
  try {
    const { onProgress, memoryBudget } = options ?? {};
    signal = options?.signal;
    const ops = await judge();
    const most = budgetBytes(memoryBudget);
    signal?.throwIfAborted();
    follow = () => end(signal?.reason);
    signal?.addEventListener('abort', follow, { once: true });
    const { bytes } = await readImage(image, most, ending.signal);
    const runtime: JobRuntime = {
      bytes: most,
      giveTurn: home.nextTurn,
      onProgress:
        onProgress &&
        ((phase, share) => {
          if (!ending.signal.aborted) tellProgress(onProgress, { phase, share }, end);
        }),
    };
    const result = await job(bytes, ops, runtime, ending.signal);
    // It may have been ended during its last turn.
    ending.signal.throwIfAborted();
    return result;
  } catch (error) {
    dismissImage(image, error);
    throw toImageError(error);
  } finally {
    if (follow) signal?.removeEventListener('abort', follow);
  }
}
