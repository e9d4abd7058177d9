import type { Context } from 'hono';
import type { SanitizedInPlace } from '../../sanitize/sanitize.ts';
import { Watch } from '../body/watch.ts';
import type { Env } from '../env.ts';
import { timed } from '../metrics.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Of an answer that is streamed: when its last byte is written, or it has broken off. Never rejects. */
    sending: Promise<unknown> | undefined;
  }
}

/** A body in chunks; an iterable may make each when it is asked for. */
export interface ChunkedBytes {
  /** Bytes of all chunks together. */
  readonly length: number;
  readonly chunks: Iterable<Uint8Array>;
}

/** Bytes that are written at a time: the reader's progress is known so exactly. */
const PIECE_BYTES = 64 * 1024;

/**
 * A response body that is sent straight from the memory it lies in: a copy would double the memory, and be
 * collected late (docs/benchmarks.md). A client that reads too slowly while others wait for the memory loses
 * it: its answer breaks off.
 * @param image what the chunks lie in or are made of; disposed of when the last byte is written, or the
 * client has gone or is too slow
 */
export function streamedBody(
  c: Context<Env>,
  image: Pick<SanitizedInPlace, 'memory'> & Disposable,
  { length, chunks }: ChunkedBytes,
): ReadableStream {
  const { readable, writable } = new FixedLengthStream(length);
  const writer = writable.getWriter();
  const { memory } = image;
  memory.startSending(length);
  const send = async () => {
    using _image = image;
    using watch = new Watch(() => memory.requirePace());
    const { signal } = c.req.raw;
    // A client that has already gone will neither read nor cancel.
    signal.throwIfAborted();
    signal.addEventListener('abort', () => writer.abort(signal.reason).catch(() => {}));
    try {
      for (const piece of pieces(chunks, Math.min(length, PIECE_BYTES))) {
        await watch.over(writer.write(piece));
        memory.moved(piece.length);
      }
      await watch.over(writer.close());
    } catch (error) {
      writer.abort(error).catch(() => {});
      throw error;
    }
  };
  const sending = timed('sending', send).catch(() => {});
  c.set('sending', sending);
  c.executionCtx.waitUntil(sending);
  return readable;
}

/**
 * The chunks in pieces of so many bytes, each in the same buffer and valid until the next. The buffer belongs
 * to this answer alone: where sending ends early, the runtime may still read from it while the memory that
 * the chunks lie in serves another call.
 */
function* pieces(chunks: Iterable<Uint8Array>, pieceBytes: number): Generator<Uint8Array> {
  const buffer = new Uint8Array(pieceBytes);
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const part = chunk.subarray(at, at + pieceBytes);
      buffer.set(part);
      yield buffer.subarray(0, part.length);
    }
  }
}
