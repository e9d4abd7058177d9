import { home } from '#home';
import { type ChunkSource, chunksOf, readChunks, untilAborted } from './chunks.ts';
import { ImageError } from './image_error.ts';

/**
 * The forms in which an image can be passed. Bytes must not be changed until the call has settled.
 *
 * A string is the path of a local file, so never pass one that came with a request. Objects with a path as a
 * member are not accepted: they may come from JSON.
 */
export type ImageInput =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | SharedArrayBuffer
  | Blob
  | URL
  | ReadableStream<ArrayBuffer | ArrayBufferView>
  | AsyncIterable<ArrayBuffer | ArrayBufferView>;

/** All bytes of an image. */
export interface ImageBytes {
  readonly bytes: Uint8Array;
  /** Whether nobody else has them, because they were read or copied here. */
  readonly areOwn: boolean;
}

/**
 * All bytes of an image, without a copy if they are already in memory and no other thread can change them. A
 * stream is read to its end or, if the call is refused or aborted, cancelled.
 * @param maxBytes most bytes that are read
 * @throws ImageError 'payload_too_large' beyond `maxBytes`; TypeError for anything but an image input; the
 * error of the stream or the file system; the signal's reason when aborted
 */
export async function readImage(
  image: ImageInput,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<ImageBytes> {
  if (signal?.aborted) {
    dismissImage(image, signal.reason);
    throw signal.reason;
  }
  const kind = kindOf(image);
  if (ArrayBuffer.isView(image) || kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer') {
    return ofMemory(image as ArrayBuffer | ArrayBufferView, maxBytes);
  }
  if (typeof image === 'string') return readSource(await openPath(image), maxBytes, signal);
  if (kind === 'URL') return readSource(await openFile(image as URL), maxBytes, signal);
  if (isBlob(image)) {
    if (image.size > maxBytes) throw tooLarge(maxBytes, image.size);
    const bytes = new Uint8Array(await untilAborted(image.arrayBuffer(), signal));
    return { bytes, areOwn: true };
  }
  const source = chunksOf(image);
  if (!source) {
    throw new TypeError(
      'Expected the image as bytes (a Uint8Array or another view, an ArrayBuffer), a Blob, a stream of bytes, ' +
        `or the path or file: URL of a local file, but received ${described(image, kind)}`,
    );
  }
  return readSource(source, maxBytes, signal);
}

/** Ends an image that will not be read: otherwise a stream would keep its file or connection open. */
export function dismissImage(image: unknown, reason: unknown): void {
  try {
    chunksOf(image)?.cancel(reason);
  } catch {
    // Another reader holds it, and will end it.
  }
}

const readSource = (source: ChunkSource, maxBytes: number, signal: AbortSignal | undefined) =>
  readChunks(source, maxBytes, () => tooLarge(maxBytes), signal);

function ofMemory(image: ArrayBuffer | ArrayBufferView, maxBytes: number): ImageBytes {
  if (image.byteLength > maxBytes) throw tooLarge(maxBytes, image.byteLength);
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(image)
    ? image
    : { buffer: image, byteOffset: 0, byteLength: image.byteLength };
  requireThere(buffer);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  // Another thread could replace the picture after it was checked.
  if (kindOf(buffer) === 'SharedArrayBuffer') return { bytes: bytes.slice(), areOwn: true };
  return { bytes: image.constructor === Uint8Array ? image : bytes, areOwn: false };
}

/** A detached buffer looks like an empty one until a view of it is made. */
function requireThere(buffer: ArrayBufferLike): void {
  if (buffer.byteLength > 0) return;
  try {
    new Uint8Array(buffer);
  } catch {
    throw new TypeError(
      'Expected the image as bytes but received a buffer that was transferred; the caller has it no longer',
    );
  }
}

/** Longer than the paths of any system (PATH_MAX of Linux, in one-byte characters). */
const LONGEST_PATH = 4096;

async function openPath(path: string): Promise<ChunkSource> {
  // One letter and a colon is a drive.
  const isAddress = /^[a-z][a-z0-9+.-]+:/i.test(path);
  if (isAddress || path === '' || path.length > LONGEST_PATH) {
    const came = isAddress
      ? 'an address; remote images are never fetched, and a data: URL'
      : 'another string; base64';
    throw new TypeError(`Expected the path of a local file but received ${came} has to be decoded`);
  }
  return chunksOf(await home.openFile(path))!;
}

async function openFile(address: URL): Promise<ChunkSource> {
  const { protocol, host } = address;
  // Some systems fetch files from other hosts.
  if (protocol !== 'file:' || host !== '') {
    const came = protocol === 'file:' ? 'a file: URL that names a host' : described(address, 'URL');
    throw new TypeError(
      `Expected the file: URL of a local file but received ${came}; remote images are never fetched`,
    );
  }
  return chunksOf(await home.openFile(address))!;
}

/** The class name of a value; also works for objects of other realms, unlike `instanceof`. */
const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

const isBlob = (image: unknown): image is Blob =>
  typeof (image as Partial<Blob> | null)?.arrayBuffer === 'function' &&
  typeof (image as Partial<Blob>).size === 'number';

/** Describes the value that was passed without quoting it: it may be an image. */
function described(image: unknown, kind: string): string {
  if (image === undefined || image === null) return 'nothing';
  if (kind === 'URL') return `a URL of ${(image as URL).protocol}`;
  if (kind === 'Promise') return 'a Promise, which has to be awaited';
  if (kind === 'Array') return 'an array';
  return typeof image === 'object' ? `an object (${kind})` : `a ${typeof image}`;
}

const tooLarge = (maxBytes: number, received?: number) =>
  new ImageError(
    'payload_too_large',
    `Expected an image of at most ${maxBytes} bytes, all that the memory budget leaves for one, but received ${
      received ?? 'more'
    }`,
  );
