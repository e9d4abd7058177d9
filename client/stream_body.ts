/** A sequence of bytes: a web stream, a Node stream, or any iterable of chunks. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A body that can be read once. */
export class StreamBody {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #isRead = false;
  #failure: { readonly error: unknown } | undefined;

  /** @param chunks read only when the body is sent */
  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Whether anything was requested from it: then it can't be sent again. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Throws the error of the source, if it has failed. */
  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** The body as a stream for fetch. May be called again while nothing was read. */
  stream(onChunk?: (bytes: number) => void): ReadableStream<Uint8Array> {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      this.#isRead = true;
      try {
        const { done, value } = await this.#chunks.next();
        if (done) return controller.close();
        controller.enqueue(value);
        onChunk?.(value.length);
      } catch (error) {
        this.#failure = { error };
        controller.error(error);
      }
    };
    // No read-ahead: as long as nothing was requested, the body can be sent again.
    return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  }

  /** Releases the source, however much of it was read. */
  async close(): Promise<void> {
    await this.#chunks.return?.().catch(() => {});
  }
}

/** Whether a value is a stream of bytes. Tested by its members, since it may come from another realm. */
export function isByteStream(value: unknown): value is ByteStream {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.asyncIterator in value || typeof (value as { getReader?: unknown }).getReader === 'function';
}

/** The chunks of a stream. Web streams are not async iterables in all browsers. */
export async function* chunksOf(stream: ByteStream): AsyncGenerator<Uint8Array> {
  if (Symbol.asyncIterator in stream) {
    yield* stream as AsyncIterable<Uint8Array>;
    return;
  }
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/**
 * Whether the platform's fetch can send streams. Browsers do so over HTTP/2 at best, and some send the text
 * `[object ReadableStream]` instead; there the stream is read into memory first.
 */
export function canSendStreams(): boolean {
  return !('XMLHttpRequest' in globalThis);
}
