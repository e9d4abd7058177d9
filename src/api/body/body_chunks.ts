import { badRequest } from './body_errors.ts';
import { leaveToDrain } from './drain.ts';
import type { Allocate } from './image_sink.ts';
import { READ_BYTES } from './limits.ts';
import { openReader } from './open_reader.ts';
import { openGate, type ReadGate } from './read_gate.ts';
import { Watch } from './watch.ts';

/** Nanoseconds to read a byte and to copy it to its destination. */
const RECEIVE_TIME = 1;

/**
 * Yields a body in chunks of at most one read: a stream made by code may arrive in one piece, and consumers
 * give way to other jobs between two chunks. Each chunk is valid only until the next one is requested. If the
 * loop ends early, for whatever reason (the consumer's errors included), the rest is left in the body for
 * `drainBody`.
 *
 * @param limit most bytes to take
 * @param tooLarge makes the error for the byte after `limit`
 * @param gate asked for memory before each read, and during a long read whether to continue
 * @throws ApiError bad_request if the stream fails (the sender disconnected); what the gate throws
 */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLarge: () => Error,
  allocate: Allocate,
  gate: ReadGate = openGate,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const { read, release } = openReader(body, READ_BYTES, allocate, true);
  let total = 0;
  let underWay: Promise<unknown> | undefined;
  using watch = new Watch(gate.requirePace);
  try {
    while (true) {
      await gate.admit(total + READ_BYTES);
      const reading = read().catch(() => {
        throw badRequest(`The body broke off after ${total} bytes: the connection failed or was closed.`);
      });
      underWay = reading;
      const { done, value } = await watch.over(reading);
      underWay = undefined;
      if (value && value.length > 0) {
        total += value.length;
        if (total > limit) throw tooLarge();
        for (let at = 0; at < value.length; at += READ_BYTES) {
          const piece = value.subarray(at, at + READ_BYTES);
          gate.moved(piece.length);
          const pause = gate.spend(piece.length * RECEIVE_TIME);
          if (pause) await pause;
          yield piece;
        }
      }
      if (done) return;
    }
  } finally {
    leaveToDrain(body, release, underWay);
  }
}
