import { cores, startThread } from '#threads';
import type { DetectResult, InspectResult } from '../ops/responses.ts';
import type { DetectOpsInput, InspectOpsInput } from '../ops/schema.ts';
import { DEFAULT_MEMORY_BUDGET } from './default_budget.ts';
import { type ImageInput, readImage } from './image_input.ts';
import type { CallOptions, LibrarySanitizeOps, ProgressCallOptions, SanitizedImage } from './options.ts';
import { ThreadPool } from './thread_pool.ts';

export { ImageError, type ImageErrorCode } from './image_error.ts';
export type { ImageInput } from './image_input.ts';
export type { Progress, SanitizedImage } from './options.ts';

export interface SanitizerOptions {
  /** Threads at most; they are started when there is work for them. Default: the machine's cores. */
  readonly workers?: number;
  /** Bytes that the calls of all threads may hold together; each thread has its share. Default: 512 MB. */
  readonly memoryBudget?: number;
}

/** The options of a call; the budget is the pool's. */
export interface WorkerCallOptions extends Omit<CallOptions, 'memoryBudget'> {
  /** Gives the buffer of an image's bytes to the thread instead of a copy; the caller has it no longer. */
  readonly transfer?: boolean | undefined;
}
export type WorkerProgressOptions = WorkerCallOptions & Pick<ProgressCallOptions, 'onProgress'>;

/**
 * The calls of the library, off this thread. Bytes are copied to their thread, unless `transfer` gives them
 * away; a stream or a Blob is read and given. Results come back without a copy.
 */
export interface Sanitizer extends Disposable {
  sanitize(
    image: ImageInput,
    ops?: LibrarySanitizeOps,
    options?: WorkerProgressOptions,
  ): Promise<SanitizedImage>;
  detect(image: ImageInput, ops?: DetectOpsInput, options?: WorkerProgressOptions): Promise<DetectResult>;
  inspect(image: ImageInput, ops?: InspectOpsInput, options?: WorkerCallOptions): Promise<InspectResult>;
  /** Ends all threads; calls that run or wait reject with an AbortError. */
  close(): void;
}

/**
 * A pool of threads that starts empty.
 * @throws RangeError for anything but a whole number of workers from 1
 */
export function createSanitizer({
  workers = cores,
  memoryBudget = DEFAULT_MEMORY_BUDGET,
}: SanitizerOptions = {}): Sanitizer {
  if (!Number.isSafeInteger(workers) || workers < 1) {
    throw new RangeError(`Expected a whole number of workers from 1 but received ${workers}`);
  }
  const share = Math.floor(memoryBudget / workers);
  const pool = new ThreadPool(startThread, workers);
  const call = async <T>(
    name: 'sanitize' | 'detect' | 'inspect',
    given: ImageInput,
    ops: unknown,
    { signal, onProgress, transfer = false }: WorkerProgressOptions = {},
  ): Promise<T> => {
    const image = await readImage(given, share, signal);
    const isOwn = transfer || !(given instanceof Uint8Array || given instanceof ArrayBuffer);
    const request = { call: name, image, ops, memoryBudget: share };
    return (await pool.run(request, isOwn, signal, onProgress)) as T;
  };
  return {
    sanitize: (image, ops, options) => call('sanitize', image, ops, options),
    detect: (image, ops, options) => call('detect', image, ops, options),
    inspect: (image, ops, options) => call('inspect', image, ops, options),
    close: () => pool.close(),
    [Symbol.dispose]: () => pool.close(),
  };
}
