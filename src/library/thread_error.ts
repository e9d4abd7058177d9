/**
 * The thread of a call ended, or could not be started; neither the image nor the ops were refused. The pool
 * starts another thread for later calls.
 */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
  readonly code = 'thread_failed';
}
