/**
 * Reads a body that must be short. A longer one is left unread with its sender: because of its declared
 * length, or from the first byte past the limit.
 * @returns the text; null for a body of more than `maxBytes` bytes
 */
export async function readSmallBody(request: Request, maxBytes: number): Promise<string | null> {
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) return null;
  if (!request.body) return '';
  const bytes = new Uint8Array(maxBytes);
  let length = 0;
  // Not cancelled: a connection reset would lose the answer too.
  for await (const chunk of request.body.values({ preventCancel: true })) {
    if (length + chunk.length > maxBytes) return null;
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
}
