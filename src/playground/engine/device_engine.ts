import { createSanitizer, ImageError, type Sanitizer } from '../../library/worker.ts';
import { DeviceError } from './device_error.ts';
import type { Engine, EngineCallOptions } from './engine.ts';
import { onLoading } from './page_threads.ts';

/**
 * What all threads together may hold beside the photos themselves: a 50-megapixel photo needs less than a
 * quarter of it, and browsers on phones end a tab at about 1 GB.
 */
const MEMORY_BUDGET = 384 * 1024 * 1024;
/** Threads at most: one photo is worked on by one. */
const MOST_THREADS = 2;

/** Threads that leave one core to the page. @param cores of this machine, as the browser tells */
export const threadsFor = (cores: number): number => Math.max(1, Math.min(MOST_THREADS, cores - 1));

/**
 * The library in workers of this page as its engine. Nothing of a photo leaves the page; what is fetched are
 * the parts of the pipeline, from the page's own origin.
 * @param threads how many photos are worked on at once
 */
export function deviceEngine(threads: number): Engine & { prepare(): void } {
  let sanitizer: Sanitizer | null = null;
  const listeners = new Set<NonNullable<EngineCallOptions['onProgress']>>();
  onLoading((done, total) => {
    for (const listener of listeners) listener({ stage: 'loading', done, total });
  });

  const call = async <T>(
    run: (sanitizer: Sanitizer) => Promise<T>,
    { signal, onProgress }: EngineCallOptions,
  ): Promise<T> => {
    sanitizer ??= createSanitizer({ workers: threads, memoryBudget: MEMORY_BUDGET });
    const used = sanitizer;
    if (onProgress) listeners.add(onProgress);
    try {
      return await run(used);
    } catch (error) {
      if (signal?.aborted) throw error;
      if (error instanceof ImageError) throw new DeviceError(error.code, error.message, { cause: error });
      // A module that did not load stays failed in its thread: the next call gets new ones.
      used.close();
      if (sanitizer === used) sanitizer = null;
      throw new DeviceError('not_loaded', '', { cause: error });
    } finally {
      if (onProgress) listeners.delete(onProgress);
    }
  };

  return {
    name: 'device',
    /** Starts a thread, which loads what searching and cleaning need; the answer is of no interest. */
    prepare() {
      void call((used) => used.detect(new Uint8Array()), {}).catch(() => undefined);
    },
    inspect: async (file, ops, options) => ({
      value: await call((used) => used.inspect(file, ops, signalOf(options)), options),
      facts: null,
    }),
    detect: async (file, ops, options) => ({
      value: await call((used) => used.detect(file, ops, signalOf(options)), options),
      facts: null,
    }),
    async sanitize(file, ops, options) {
      const { onProgress } = options;
      const startedAt = performance.now();
      const { bytes, mediaType, report } = await call(
        (used) =>
          used.sanitize(file, ops, {
            ...signalOf(options),
            ...(onProgress && {
              onProgress: ({ phase, share }) => onProgress({ stage: phase, done: share, total: 1 }),
            }),
          }),
        options,
      );
      const durationMs = Math.round(performance.now() - startedAt);
      const image = new Blob([bytes], { type: mediaType });
      return { value: { image, report: { ...report, durationMs } }, facts: null };
    },
  };
}

const signalOf = ({ signal }: EngineCallOptions) => ({ ...(signal && { signal }) });
