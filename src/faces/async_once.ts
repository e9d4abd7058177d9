/**
 * Makes a value at the first call and shares it; a failure reaches those who waited, and the next call makes
 * it anew.
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
 * The same function, its calls running one after the other in the order they came, whether earlier ones
 * failed or not.
 */
export function inTurn<A extends unknown[], T>(work: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const mine = last.then(() => work(...args));
    last = mine.catch(() => undefined);
    return mine;
  };
}
