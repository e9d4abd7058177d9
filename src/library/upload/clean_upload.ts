import type { ImageInput } from '../image_input.ts';
import { sanitize } from '../index.ts';
import type { LibrarySanitizeOps, SanitizedImage } from '../options.ts';
import { toUploadError, UploadError } from './upload_error.ts';

export interface UploadOptions {
  /** The ops for each image; by default all faces are hidden. */
  readonly ops?: LibrarySanitizeOps | undefined;
  /** Most bytes of one file; by default 25 MB (25 × 1024 × 1024). */
  readonly maxBytes?: number | undefined;
  /** Most files of one request; by default 1. multer uses its own `limits.files`. */
  readonly maxFiles?: number | undefined;
  /**
   * The function that cleans; by default `sanitize` of this package. May be that of a pool of threads, or one
   * with options.
   */
  readonly sanitize?:
    | ((
        image: ImageInput,
        ops: LibrarySanitizeOps | undefined,
        options: { readonly signal?: AbortSignal | undefined },
      ) => Promise<SanitizedImage>)
    | undefined;
}

export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;

/**
 * Cleans one uploaded file.
 * @throws UploadError if it is too large or refused; the error of its stream; the signal's reason
 */
export async function cleanUpload(
  file: Blob | AsyncIterable<Uint8Array>,
  options: UploadOptions,
  signal: AbortSignal | undefined,
): Promise<SanitizedImage> {
  const { ops, maxBytes = MAX_UPLOAD_BYTES } = options;
  const clean = options.sanitize ?? sanitize;
  if (file instanceof Blob && file.size > maxBytes) throw tooLarge(maxBytes);
  try {
    return await clean(file instanceof Blob ? file : capped(file, maxBytes), ops, { signal });
  } catch (error) {
    throw toUploadError(error);
  }
}

/** Passes on chunks up to a number of bytes. @throws UploadError for more */
export async function* capped(
  chunks: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > most) throw tooLarge(most);
    yield chunk;
  }
}

export const tooLarge = (most: number) =>
  new UploadError('payload_too_large', `Expected at most ${most} bytes but received more`);
