/** The call is wrong, which shows only once its files are known; nothing was done. */
export class CallError extends Error {
  override readonly name = 'CallError';
}
