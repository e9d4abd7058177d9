/**
 * The thread that worked on a call has ended, or could not be started: neither the image nor the ops were
 * refused. The pool has started another for the calls after it.
 */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
  readonly code = 'thread_failed';
}
