/** Bytes turned to base64 at a time; a multiple of 3, so that the pieces join without padding. */
const PIECE_BYTES = 3 * 64 * 1024;

/**
 * A JSON object whose first member `image` is the bytes as base64, written piece by piece: the text, a third longer than
 * the image, never exists whole.
 * @param rest the other members
 */
export function imageEnvelope(image: Uint8Array, rest: Record<string, unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode('{"image":"'));
    },
    pull(controller) {
      if (at < image.length) {
        const piece = image.subarray(at, at + PIECE_BYTES);
        at += piece.length;
        controller.enqueue(encoder.encode(piece.toBase64()));
        return;
      }
      controller.enqueue(encoder.encode(`",${JSON.stringify(rest).slice(1)}`));
      controller.close();
    },
  });
}
