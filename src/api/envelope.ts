/** Bytes turned to base64 at a time; a multiple of 3, so that the pieces join without padding. */
const PIECE_BYTES = 3 * 64 * 1024;

/**
 * A JSON object whose first member `image` is the bytes as base64, written piece by piece: the text, a third longer than
 * the image, never exists whole.
 * @param rest the other members
 */
export function imageEnvelope(image: Uint8Array, rest: Record<string, unknown>): ReadableStream<Uint8Array> {
  return base64Between('{"image":"', image, `",${JSON.stringify(rest).slice(1)}`);
}

/** Text, bytes as base64, text; the base64 is written piece by piece. */
export function base64Between(head: string, bytes: Uint8Array, tail: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(head));
    },
    pull(controller) {
      if (at < bytes.length) {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        at += piece.length;
        controller.enqueue(encoder.encode(piece.toBase64()));
        return;
      }
      controller.enqueue(encoder.encode(tail));
      controller.close();
    },
  });
}
