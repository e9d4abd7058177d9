/** What an upload holds, and the most that it will hold once complete. */
export interface UploadClaim {
  readonly bytes: number;
  readonly most: number;
}

/**
 * Whether all these uploads can finish within `limit` bytes in some order, so that they never all wait for
 * one another: the banker's algorithm for one resource (E. W. Dijkstra, EWD 623, "The mathematics behind the
 * Banker's Algorithm"). A declared length is only a claim: it keeps nothing from others as long as uploads
 * fit one after the other.
 *
 * The upload that needs most comes last, and may exceed the limit once it is alone.
 */
export function areSafe(uploads: readonly UploadClaim[], limit: number): boolean {
  if (uploads.length < 2) return true;
  let free = limit - uploads.reduce((sum, { bytes }) => sum + bytes, 0);
  const missing = ({ bytes, most }: UploadClaim) => most - bytes;
  const order = [...uploads].sort((a, b) => missing(a) - missing(b));
  order.pop();
  for (const upload of order) {
    if (missing(upload) > free) return false;
    free += upload.bytes;
  }
  return true;
}
