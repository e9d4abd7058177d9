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
   * Most threads; they are started when there is work for them. There is at most one per 100 MB of the
   * budget. Default: one per core of the machine, but at most one per 256 MB.
   */
  readonly workers?: number | undefined;
  /**
   * Bytes that the calls of all threads may hold together; each thread has an equal share. Default: 512 MB;
   * in pages at most a quarter of the device's memory, if the browser reports it.
   */
  readonly memoryBudget?: number | undefined;
}

/** The options of a call, without the budget, which belongs to the pool. */
export interface WorkerCallOptions extends Omit<CallOptions, 'memoryBudget'> {
  /** Moves the buffer of an image's bytes to the thread instead of copying it; the caller loses it. */
  readonly transfer?: boolean | undefined;
}
export type WorkerProgressOptions = WorkerCallOptions & Pick<ProgressCallOptions, 'onProgress'>;

/**
 * The calls of the library, run in other threads. Bytes are copied to their thread, or moved with `transfer`;
 * a stream, a Blob or a file is read here and its bytes are moved. Results come back without a copy.
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

/** What a pool needs from its runtime. */
interface ThreadHome {
  readonly cores: number;
  readonly startThread: StartThread;
}

/** `createSanitizer` (worker.ts) on the threads of a runtime. */
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
