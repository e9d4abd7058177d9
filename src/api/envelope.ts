import type { Pieces } from './streamed_body.ts';

/** Bytes turned to base64 at a time; a multiple of 3, so that the pieces join without padding. */
const PIECE_BYTES = 3 * 64 * 1024;

/**
 * A JSON object whose first member `image` is the bytes as base64, piece by piece: the text, a third longer
 * than the image, never exists whole.
 * @param rest the other members
 */
export function imageEnvelope(image: Uint8Array, rest: Record<string, unknown>): Pieces {
  return base64Between('{"image":"', image, `",${JSON.stringify(rest).slice(1)}`);
}

/** Text, bytes as base64, text; the base64 is made piece by piece, the next when it is asked for. */
export function base64Between(head: string, bytes: Uint8Array, tail: string): Pieces {
  const encoder = new TextEncoder();
  const [before, after] = [encoder.encode(head), encoder.encode(tail)];
  function* pieces(): Generator<Uint8Array> {
    yield before;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield encoder.encode(bytes.subarray(at, at + PIECE_BYTES).toBase64());
    }
    yield after;
  }
  // RFC 4648 section 4: four characters for every three bytes begun.
  return { length: before.length + Math.ceil(bytes.length / 3) * 4 + after.length, pieces: pieces() };
}
