import type { ChunkedBytes } from './streamed_body.ts';

/** Bytes encoded as base64 at a time; a multiple of 3, so that the chunks join without padding. */
const CHUNK_BYTES = 3 * 64 * 1024;

/**
 * A JSON object whose first member `image` is the bytes as base64. It is made chunk by chunk: the whole text,
 * a third longer than the image, never exists in memory.
 * @param rest the other members, at least one
 */
export function imageEnvelope(image: Uint8Array, rest: Record<string, unknown>): ChunkedBytes {
  return base64Between('{"image":"', image, `",${JSON.stringify(rest).slice(1)}`);
}

/** `head`, then the bytes as base64, then `tail`; each chunk is made when it is asked for. */
export function base64Between(head: string, bytes: Uint8Array, tail: string): ChunkedBytes {
  const encoder = new TextEncoder();
  const [before, after] = [encoder.encode(head), encoder.encode(tail)];
  function* chunks(): Generator<Uint8Array> {
    yield before;
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      yield encoder.encode(bytes.subarray(at, at + CHUNK_BYTES).toBase64());
    }
    yield after;
  }
  // RFC 4648 section 4: four characters for every three bytes begun.
  return { length: before.length + Math.ceil(bytes.length / 3) * 4 + after.length, chunks: chunks() };
}
