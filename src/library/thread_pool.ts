import { ImageError } from './image_error.ts';
import type { ProgressCallOptions } from './options.ts';
import { tellProgress } from './tell_progress.ts';
import type { FromThread, ThreadCall, ToThread } from './thread_calls.ts';
import { ThreadError } from './thread_error.ts';
import type { StartThread, Thread } from './threads.ts';

/** The request to a thread; the pool adds the other members. */
type ThreadRequest = Pick<ThreadCall, 'call' | 'image' | 'ops' | 'memoryBudget'>;

interface PendingCall {
  readonly message: ThreadCall;
  /** Length of the image when the call was made. */
  readonly bytes: number;
  /** Whether the image's buffer may be transferred to the thread. */
  readonly isOwn: boolean;
  isSettled: boolean;
  readonly onProgress: ProgressCallOptions['onProgress'];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread and the one call it is working on. */
interface PoolThread {
  readonly thread: Thread;
  call: PendingCall | undefined;
}

/**
 * Threads that take one call each, in the order of the calls. A thread that fails ends its call and is
 * replaced when there is work.
 */
export class ThreadPool {
  readonly #start: StartThread;
  readonly #most: number;
  readonly #threads = new Set<PoolThread>();
  readonly #waiting: PendingCall[] = [];
  #ids = 0;
  #closed = false;

  constructor(start: StartThread, most: number) {
    this.#start = start;
    this.#most = most;
  }

  /** Number of threads that are running. */
  get size(): number {
    return this.#threads.size;
  }

  /**
   * Runs a call as soon as a thread is free.
   * @param isOwn whether the image's buffer may be transferred to the thread
   * @throws ImageError; the signal's reason when aborted; AbortError when the pool is closed; ThreadError;
   * TypeError if the image's buffer was detached while the call waited
   */
  run(
    request: ThreadRequest,
    isOwn: boolean,
    signal?: AbortSignal,
    onProgress?: ProgressCallOptions['onProgress'],
  ): Promise<unknown> {
    if (this.#closed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(signal.reason);
    const bytes = request.image.byteLength;
    const message = { ...request, id: this.#ids++, tellsProgress: onProgress !== undefined };
    return new Promise((resolve, reject) => {
      const abort = () => this.#abort(call, signal?.reason);
      const settle =
        <T>(settled: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', abort);
          call.isSettled = true;
          settled(value);
        };
      const call: PendingCall = {
        message,
        bytes,
        isOwn,
        isSettled: false,
        onProgress,
        resolve: settle(resolve),
        reject: settle(reject),
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.push(call);
      this.#next();
    });
  }

  /** Ends all threads; calls that run or wait reject with an AbortError. */
  close(): void {
    this.#closed = true;
    for (const one of this.#threads) {
      one.thread.end();
      one.call?.reject(closedError());
    }
    this.#threads.clear();
    for (const call of this.#waiting.splice(0)) call.reject(closedError());
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      let free: PoolThread | undefined;
      try {
        free = this.#freeThread();
      } catch (cause) {
        // The running threads take over the waiting call.
        if (this.#threads.size > 0) return;
        this.#waiting.shift()!.reject(new ThreadError('No thread could be started', { cause }));
        continue;
      }
      if (!free) return;
      const call = this.#waiting.shift()!;
      try {
        post(free.thread, call);
      } catch (error) {
        call.reject(sendingError(call, error));
        continue;
      }
      free.call = call;
      free.thread.work();
    }
  }

  #freeThread(): PoolThread | undefined {
    for (const one of this.#threads) if (!one.call) return one;
    if (this.#threads.size >= this.#most) return undefined;
    const thread = this.#start({
      message: (value) => this.#received(one, value as FromThread),
      failed: (error) => this.#failed(one, error),
    });
    const one: PoolThread = { thread, call: undefined };
    this.#threads.add(one);
    return one;
  }

  #received(one: PoolThread, answer: FromThread): void {
    const { call } = one;
    if (call?.message.id !== answer.id) return;
    if ('progress' in answer) {
      const { onProgress, isSettled } = call;
      if (onProgress && !isSettled) {
        tellProgress(onProgress, answer.progress, (error) => this.#abort(call, error));
      }
      return;
    }
    one.call = undefined;
    one.thread.rest();
    if ('result' in answer) call.resolve(answer.result);
    else call.reject(errorOf(answer.error));
    this.#next();
  }

  #failed(one: PoolThread, cause: unknown): void {
    if (!this.#threads.delete(one)) return;
    one.thread.end();
    one.call?.reject(new ThreadError('The thread that worked on this call has ended', { cause }));
    this.#next();
  }

  /** The caller learns of it at once; the thread becomes free when its call reaches its next turn. */
  #abort(call: PendingCall, reason: unknown): void {
    if (call.isSettled) return;
    const at = this.#waiting.indexOf(call);
    if (at >= 0) this.#waiting.splice(at, 1);
    for (const one of this.#threads) {
      if (one.call === call) one.thread.post({ abort: call.message.id } satisfies ToThread, []);
    }
    call.reject(reason);
  }
}

const closedError = () => new DOMException('This sanitizer was closed', 'AbortError');

/**
 * Transfers only the image. If it is a part of a larger buffer, structured cloning would copy that buffer
 * whole.
 */
function post(thread: Thread, { message, isOwn }: PendingCall): void {
  const { image } = message;
  if (image.byteLength < image.buffer.byteLength) {
    const copy = image.slice();
    thread.post({ ...message, image: copy }, [copy.buffer]);
  } else {
    const mayGo = isOwn && image.byteLength > 0 && image.buffer instanceof ArrayBuffer;
    thread.post(message, mayGo ? [image.buffer as ArrayBuffer] : []);
  }
}

/** Why a call could not be sent: only its own thread can read the data, or the data are no longer there. */
function sendingError({ message, bytes }: PendingCall, error: unknown): unknown {
  if (message.image.byteLength !== bytes) {
    return new TypeError(
      'Expected the image’s buffer to stay until the call has settled, but it was given away',
    );
  }
  if (!(error instanceof DOMException)) return error;
  const text = `Expected plain values but received what no thread can be sent: ${error.message}`;
  const issue = { path: '', message: text, code: 'invalid_type' };
  return new ImageError('invalid_ops', `ops: ${text}`, [issue], { cause: error });
}

function errorOf(error: Extract<FromThread, { error: unknown }>['error']): unknown {
  return 'thrown' in error ? error.thrown : new ImageError(error.code, error.message, error.issues);
}
