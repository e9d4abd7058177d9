import { type Sanitizer, type SanitizerOptions, sanitizerOn } from './sanitizer.ts';
import * as threads from './threads_inside.ts';

export * from './index.ts';
export type { Sanitizer, SanitizerOptions, WorkerCallOptions, WorkerProgressOptions } from './sanitizer.ts';
export { ThreadError } from './thread_error.ts';

/**
 * A pool of threads that starts empty: `createSanitizer` of `image-sanitizer/worker`, as a single file.
 * @throws RangeError for anything but a whole number of workers or bytes from 1
 */
export const createSanitizer = (options?: SanitizerOptions): Sanitizer => sanitizerOn(threads, options);
