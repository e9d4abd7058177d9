/** A source of chunks of bytes, read one by one, that can be told to stop. */
export interface ChunkSource {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Stops the source: nothing more is wanted. */
  cancel(reason: unknown): void;
  /** Releases the source once it was read to its end, or cancelled. */
  release(): void;
}

interface Streams {
  readonly getReader?: ReadableStream['getReader'];
  readonly [Symbol.asyncIterator]?: AsyncIterable<unknown>[typeof Symbol.asyncIterator];
  /** In Node streams: ends a silent stream, which its iterator can't do. */
  readonly destroy?: () => void;
}

/** A source for a web stream, a Node stream or any iterable of chunks; undefined for other values. */
export function chunksOf(value: unknown): ChunkSource | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stream = value as Streams;
  if (typeof stream.getReader === 'function') {
    const reader = stream.getReader();
    return {
      next: () => reader.read(),
      cancel: (reason) => void reader.cancel(reason).catch(() => undefined),
      release: () => reader.releaseLock(),
    };
  }
  if (typeof stream[Symbol.asyncIterator] !== 'function') return undefined;
  const iterator = (stream as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  return {
    next: async () => iterator.next(),
    cancel: () => {
      stream.destroy?.();
      iterator.return?.().catch(() => undefined);
    },
    release: () => undefined,
  };
}

/** Size of the first buffer for chunks; doubled whenever it is too small. */
const FIRST_ROOM = 64 * 1024;

/**
 * Joins all chunks; a single one is not copied. However small the chunks are, no more than three times their
 * bytes is held.
 * @param tooLarge makes the error for more than `maxBytes` bytes
 * @throws TypeError for chunks that are not bytes; the error of the source; the signal's reason when aborted
 */
export async function readChunks(
  source: ChunkSource,
  maxBytes: number,
  tooLarge: () => Error,
  signal?: AbortSignal,
): Promise<{ bytes: Uint8Array; areOwn: boolean }> {
  let only: Uint8Array | undefined;
  let joined = new Uint8Array();
  let length = 0;
  const append = (chunk: Uint8Array) => {
    if (length + chunk.length > joined.length) {
      const room = Math.min(maxBytes, Math.max(FIRST_ROOM, joined.length * 2, length + chunk.length));
      const larger = new Uint8Array(room);
      larger.set(joined.subarray(0, length));
      joined = larger;
    }
    joined.set(chunk, length);
    length += chunk.length;
  };
  try {
    for (;;) {
      const { done, value } = await untilAborted(source.next(), signal);
      if (done) break;
      const chunk = bytesOfChunk(value);
      if ((only?.length ?? length) + chunk.length > maxBytes) throw tooLarge();
      if (!only && length === 0) only = chunk;
      else {
        if (only) append(only);
        only = undefined;
        append(chunk);
      }
    }
  } catch (error) {
    source.cancel(error);
    throw error;
  } finally {
    source.release();
  }
  // The chunk's producer may still use it.
  if (only) return { bytes: only, areOwn: false };
  return { bytes: length === joined.length ? joined : joined.slice(0, length), areOwn: true };
}

function bytesOfChunk(chunk: unknown): Uint8Array {
  if (ArrayBuffer.isView(chunk)) {
    return chunk.constructor === Uint8Array
      ? chunk
      : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  throw new TypeError(`Expected a stream of bytes but received a chunk that is ${nameOf(chunk)}`);
}

const nameOf = (chunk: unknown) =>
  typeof chunk === 'string' ? 'a string (streams of Node give these with an encoding set)' : typeof chunk;

/** Resolves as `work` does; rejects with the signal's reason as soon as it is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const settle =
      <V>(settled: (value: V) => void) =>
      (value: V) => {
        signal.removeEventListener('abort', abort);
        settled(value);
      };
    signal.addEventListener('abort', abort, { once: true });
    work.then(settle(resolve), settle(reject));
    if (signal.aborted) abort();
  });
}
