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

/**
 * The same function with its calls run one after the other, in order, whether earlier ones failed or not.
 */
export function serialized<A extends unknown[], T>(
  work: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const mine = last.then(() => work(...args));
    last = mine.catch(() => undefined);
    return mine;
  };
}
