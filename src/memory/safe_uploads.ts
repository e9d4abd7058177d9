/** What an upload holds, and the most that it will hold when all of it is there. */
export interface UploadClaim {
  readonly bytes: number;
  readonly most: number;
}

/**
 * Whether all these uploads can be received to their end within `limit` bytes, in some order, so that they
 * never all wait for one another: the banker's algorithm for one resource (E. W. Dijkstra, EWD 623, "The
 * mathematics behind the Banker's Algorithm"). A declared length is only a claim: it keeps nothing from
 * others as long as one after the other still fits.
 *
 * The one that needs most comes last, and may exceed the limit once it is alone.
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
