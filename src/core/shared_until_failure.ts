/**
 * Creates a value at the first call and shares it. A failure rejects all calls so far, and the next call
 * tries again.
 */
export function sharedUntilFailure<T>(make: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  return () => {
    if (shared) return shared;
    const making = make().catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
    shared = making;
    return making;
  };
}
