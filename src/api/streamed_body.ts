import type { Context } from 'hono';
import type { Env } from './env.ts';

/** A body in chunks; an iterable may make each when it is asked for. */
export interface ChunkedBytes {
  /** Bytes of all chunks together. */
  readonly length: number;
  readonly chunks: Iterable<Uint8Array>;
}

/**
 * A response body that is sent straight from the memory it lies in: a copy would double the memory, and be
 * collected late (docs/benchmarks.md).
 * @param memory what the chunks lie in; disposed of when the last byte is written or the client has gone
 */
export function streamedBody(
  c: Context<Env>,
  memory: Disposable,
  { length, chunks }: ChunkedBytes,
): ReadableStream {
  const { readable, writable } = new FixedLengthStream(length);
  const writer = writable.getWriter();
  const send = async () => {
    using _memory = memory;
    const { signal } = c.req.raw;
    // A client that has already gone will neither read nor cancel.
    signal.throwIfAborted();
    signal.addEventListener('abort', () => writer.abort(signal.reason).catch(() => {}));
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  };
  c.executionCtx.waitUntil(send().catch(() => {}));
  return readable;
}
