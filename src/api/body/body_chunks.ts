import { badRequest } from './body_errors.ts';
import type { Allocate } from './image_sink.ts';
import { READ_BYTES, STALL_MS } from './limits.ts';

/** What `reader.read()` gave, whichever kind of reader it was. */
type Read = { readonly done: boolean; readonly value?: Uint8Array | undefined };

/**
 * A body's bytes in the order they arrive. A chunk is valid until the next is asked for.
 * Whatever ends the loop (the consumer's error too), the rest of the body is cancelled.
 *
 * @param limit most bytes to take
 * @param tooLarge makes the error for the byte after `limit`
 * @param stallMs how long one read may take
 * @throws ApiError bad_request when the stream fails (the sender went away) or stalls
 */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLarge: () => Error,
  allocate: Allocate,
  stallMs = STALL_MS,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const { read, cancel } = source(body, allocate);
  let total = 0;
  let ended = false;
  try {
    while (true) {
      let next: Read;
      try {
        next = await within(stallMs, read());
      } catch (error) {
        if (error instanceof Stalled)
          throw badRequest(
            `The body stalled after ${total} bytes: ${stallMs / 1000} s brought too little more.`,
          );
        ended = true;
        throw badRequest(`The body broke off after ${total} bytes: the connection failed or was closed.`);
      }
      const { done, value } = next;
      if (value && value.length > 0) {
        total += value.length;
        if (total > limit) throw tooLarge();
        yield value;
      }
      if (done) {
        ended = true;
        return;
      }
    }
  } finally {
    if (!ended) cancel();
  }
}

class Stalled extends Error {}

/** @throws Stalled when it takes longer, or what `work` rejects with */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Stalled()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Source {
  read(): Promise<Read>;
  cancel(): void;
}

/**
 * A request from the network reads into one buffer of ours, used again and again (measured in workerd: 33 MB
 * in 68 ms, against 140 ms or more in the 4 KB chunks of a default reader). Streams made by code may offer
 * only whole chunks.
 */
function source(body: ReadableStream<Uint8Array>, allocate: Allocate): Source {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: 'byob' });
  } catch {
    const whole = body.getReader();
    return { read: () => whole.read(), cancel: () => void whole.cancel().catch(() => {}) };
  }
  let buffer = allocate(READ_BYTES);
  return {
    async read() {
      const next =
        'readAtLeast' in reader
          ? await reader.readAtLeast(READ_BYTES, buffer)
          : await readByob(reader, buffer);
      if (next.value) buffer = new Uint8Array(next.value.buffer as ArrayBuffer);
      return next;
    },
    cancel: () => void reader.cancel().catch(() => {}),
  };
}

/** The standard call, where the runtime lacks workerd's `readAtLeast`. */
const readByob = (reader: ReadableStreamBYOBReader, view: Uint8Array): Promise<Read> => reader.read(view);
