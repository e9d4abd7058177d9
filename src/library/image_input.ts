import { ImageError } from './image_error.ts';

/** The forms in which an image can be given. Bytes must not be changed until the call has settled. */
export type ImageInput = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

/**
 * All bytes of an image, without a copy where they lie in memory already.
 * @param maxBytes most that are read
 * @throws ImageError 'payload_too_large' beyond `maxBytes`; TypeError for anything but an image input; what a
 * stream fails with; the signal's reason when aborted
 */
export async function readImage(
  image: ImageInput,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  signal?.throwIfAborted();
  if (image instanceof ReadableStream) return readStream(image, maxBytes, signal);
  const length = image instanceof Blob ? image.size : image?.byteLength;
  if (typeof length !== 'number') {
    throw new TypeError('The image must be a Uint8Array, an ArrayBuffer, a Blob or a ReadableStream');
  }
  if (length > maxBytes) throw tooLarge(maxBytes);
  if (image instanceof Uint8Array) return image;
  const bytes = new Uint8Array(image instanceof Blob ? await image.arrayBuffer() : image);
  signal?.throwIfAborted();
  return bytes;
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) break;
      length += value.byteLength;
      if (length > maxBytes) {
        cancel();
        throw tooLarge(maxBytes);
      }
      chunks.push(value);
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    reader.releaseLock();
  }
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

const tooLarge = (maxBytes: number) =>
  new ImageError(
    'payload_too_large',
    `Expected an image of at most ${maxBytes} bytes, all that the memory budget leaves for one`,
  );
