/** The call was wrong, as is seen once its files are known; nothing was done. */
export class CallError extends Error {
  override readonly name = 'CallError';
}
