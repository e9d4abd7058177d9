import type { Context } from 'hono';
import type { Env } from './env.ts';

/** A body in pieces, each made when the one before is written; `length` is that of all of them in bytes. */
export interface Pieces {
  readonly length: number;
  readonly pieces: Iterable<Uint8Array>;
}

/**
 * A response body read from memory that is held for it: a copy would stand beside it, and be collected late
 * (docs/benchmarks.md). `held` is given back when the last byte is written, or nobody is there to read it.
 */
export function streamedBody(c: Context<Env>, held: Disposable, { length, pieces }: Pieces): ReadableStream {
  const { readable, writable } = new FixedLengthStream(length);
  const writer = writable.getWriter();
  const send = async () => {
    using _held = held;
    const { signal } = c.req.raw;
    // Who is gone already will never read, nor cancel.
    signal.throwIfAborted();
    signal.addEventListener('abort', () => writer.abort(signal.reason).catch(() => {}));
    for (const piece of pieces) await writer.write(piece);
    await writer.close();
  };
  c.executionCtx.waitUntil(send().catch(() => {}));
  return readable;
}
