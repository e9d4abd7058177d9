import * as home from '#threads';
import { type Sanitizer, type SanitizerOptions, sanitizerOn } from './sanitizer.ts';

export { ImageError, type ImageErrorCode } from './image_error.ts';
export type { ImageInput } from './image_input.ts';
export type { Progress, SanitizedImage } from './options.ts';
export type { Sanitizer, SanitizerOptions, WorkerCallOptions, WorkerProgressOptions } from './sanitizer.ts';
export { ThreadError } from './thread_error.ts';

/**
 * A pool of threads that starts empty.
 * @throws RangeError for anything but a whole number of workers or bytes from 1
 */
export const createSanitizer = (options?: SanitizerOptions): Sanitizer => sanitizerOn(home, options);
