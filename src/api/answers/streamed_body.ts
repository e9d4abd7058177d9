import type { Context } from 'hono';
import type { SanitizedInPlace } from '../../sanitize/sanitize.ts';
import { Watch } from '../body/watch.ts';
import type { Env } from '../env.ts';
import { timed } from '../metrics.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /**
     * Set for a streamed answer. Resolves when its last byte is written or it has broken off; never rejects.
     */
    sending: Promise<unknown> | undefined;
  }
}

/** A body in chunks; an iterable may make each chunk on demand. */
export interface ChunkedBytes {
  /** Total bytes of all chunks. */
  readonly length: number;
  readonly chunks: Iterable<Uint8Array>;
}

/** Bytes written at a time. The reader's progress is measured in these units. */
const PIECE_BYTES = 64 * 1024;

/**
 * A response body sent directly from the memory that holds it: a copy would double the memory and be
 * collected late (docs/benchmarks.md). If a client reads too slowly while others wait for this memory, its
 * answer breaks off and the memory is freed.
 * @param image owns the memory of the chunks, or what they are made from; disposed of after the last byte, or
 * when the client has gone or is too slow
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
    // A client that has already gone neither reads nor cancels.
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
 * Splits the chunks into pieces of at most `pieceBytes`, all in one buffer: each is valid until the next. The
 * buffer belongs to this answer alone: if sending ends early, the runtime may still read from it while
 * another call already uses the memory of the chunks.
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
