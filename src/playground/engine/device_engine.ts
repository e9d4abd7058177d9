import { createSanitizer, ImageError, type Sanitizer } from '../../library/worker.ts';
import { DeviceError } from './device_error.ts';
import type { Engine, EngineCallOptions } from './engine.ts';
import { onLoading } from './page_threads.ts';

/**
 * Memory for all threads together, besides the photos themselves: a 50-megapixel photo needs less than a
 * quarter of it, and browsers on phones end a tab at about 1 GB.
 */
const MEMORY_BUDGET = 384 * 1024 * 1024;
/** Most threads; each photo is processed by one. */
const MOST_THREADS = 2;

/**
 * The number of threads that leaves one core to the page. @param cores of this machine, as the browser
 * reports
 */
export const threadsFor = (cores: number): number => Math.max(1, Math.min(MOST_THREADS, cores - 1));

/**
 * An engine that runs the library in workers of this page. Nothing of a photo leaves the page; only the parts
 * of the pipeline are fetched, from the page's own origin.
 * @param threads number of photos processed at once
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
      // A thread does not retry a module that failed to load, so the next call gets new threads.
      used.close();
      if (sanitizer === used) sanitizer = null;
      throw new DeviceError('not_loaded', '', { cause: error });
    } finally {
      if (onProgress) listeners.delete(onProgress);
    }
  };

  return {
    name: 'device',
    /** Starts a thread, which loads what detection and cleaning need; the result is ignored. */
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
