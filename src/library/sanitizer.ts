import type { DetectResult, InspectResult } from '../ops/responses.ts';
import type { DetectOpsInput, InspectOpsInput } from '../ops/schema.ts';
import { defaultMemoryBudget } from './default_budget.ts';
import { type ImageInput, readImage } from './image_input.ts';
import type { CallOptions, LibrarySanitizeOps, ProgressCallOptions, SanitizedImage } from './options.ts';
import { threadCount } from './thread_count.ts';
import { ThreadPool } from './thread_pool.ts';
import type { StartThread } from './threads.ts';

export interface SanitizerOptions {
  /**
   * Threads at most; they are started when there is work for them. There are no more than one for each 100 MB
   * of the budget. Default: the machine's cores, but no more than one for each 256 MB.
   */
  readonly workers?: number | undefined;
  /**
   * Bytes that the calls of all threads may hold together; each thread has its share. Default: 512 MB; in
   * pages at most a quarter of the device's memory, where the browser tells it.
   */
  readonly memoryBudget?: number | undefined;
}

/** The options of a call; the budget is the pool's. */
export interface WorkerCallOptions extends Omit<CallOptions, 'memoryBudget'> {
  /** Gives the buffer of an image's bytes to the thread instead of a copy; the caller has it no longer. */
  readonly transfer?: boolean | undefined;
}
export type WorkerProgressOptions = WorkerCallOptions & Pick<ProgressCallOptions, 'onProgress'>;

/**
 * The calls of the library, off this thread. Bytes are copied to their thread, unless `transfer` gives them
 * away; a stream, a Blob or a file is read here and given. Results come back without a copy.
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

/** What a pool needs of the place that it runs in. */
interface ThreadHome {
  readonly cores: number;
  readonly startThread: StartThread;
}

/** `createSanitizer` (worker.ts) on the threads of a home. */
export function sanitizerOn(home: ThreadHome, options: SanitizerOptions = {}): Sanitizer {
  const { workers, memoryBudget = defaultMemoryBudget() } = options;
  if (workers !== undefined) requireWhole('workers', workers);
  requireWhole('bytes of memoryBudget', memoryBudget);
  const threads = threadCount(memoryBudget, home.cores, workers);
  const share = Math.floor(memoryBudget / threads);
  const pool = new ThreadPool(home.startThread, threads);
  const call = async <T>(
    name: 'sanitize' | 'detect' | 'inspect',
    given: ImageInput,
    ops: unknown,
    { signal, onProgress, transfer = false }: WorkerProgressOptions = {},
  ): Promise<T> => {
    const { bytes, areOwn } = await readImage(given, share, signal);
    const request = { call: name, image: bytes, ops, memoryBudget: share };
    return (await pool.run(request, transfer || areOwn, signal, onProgress)) as T;
  };
  return {
    sanitize: (image, ops, options) => call('sanitize', image, ops, options),
    detect: (image, ops, options) => call('detect', image, ops, options),
    inspect: (image, ops, options) => call('inspect', image, ops, options),
    close: () => pool.close(),
    [Symbol.dispose]: () => pool.close(),
  };
}

function requireWhole(what: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new RangeError(`Expected a whole number of ${what} from 1 but received ${value}`);
}
