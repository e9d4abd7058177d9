import { ImageError } from './image_error.ts';
import type { ProgressCallOptions } from './options.ts';
import type { FromThread, ThreadCall, ToThread } from './thread_calls.ts';
import type { StartThread, Thread } from './threads.ts';

/** What is asked of a thread; the pool adds the rest. */
type ThreadRequest = Pick<ThreadCall, 'call' | 'image' | 'ops' | 'memoryBudget'>;

interface PendingCall {
  readonly message: ThreadCall;
  readonly transfer: ArrayBuffer[];
  readonly onProgress: ProgressCallOptions['onProgress'];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread and the one call that it works on. */
interface PoolThread {
  readonly thread: Thread;
  call: PendingCall | undefined;
}

/**
 * Threads that take one call each, in the order in which calls came. A thread that fails ends its call and is
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

  /** Threads that run now. */
  get size(): number {
    return this.#threads.size;
  }

  /**
   * Runs a call when a thread is free.
   * @param isOwn whether the image's buffer may go over to the thread
   * @throws ImageError; the signal's reason when aborted; AbortError when the pool is closed
   */
  run(
    request: ThreadRequest,
    isOwn: boolean,
    signal?: AbortSignal,
    onProgress?: ProgressCallOptions['onProgress'],
  ): Promise<unknown> {
    if (this.#closed) return Promise.reject(closedError());
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { image } = request;
    const message = { ...request, id: this.#ids++, tellsProgress: onProgress !== undefined };
    const mayGo =
      isOwn && image.buffer instanceof ArrayBuffer && image.byteLength === image.buffer.byteLength;
    const transfer = mayGo ? [image.buffer as ArrayBuffer] : [];
    return new Promise((resolve, reject) => {
      const abort = () => this.#abort(call, signal?.reason);
      const settle =
        <T>(settled: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', abort);
          settled(value);
        };
      const call = { message, transfer, onProgress, resolve: settle(resolve), reject: settle(reject) };
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
      const free = this.#freeThread();
      if (!free) return;
      const call = this.#waiting.shift()!;
      free.call = call;
      free.thread.work();
      free.thread.post(call.message, call.transfer);
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
      call.onProgress?.(answer.progress);
      return;
    }
    one.call = undefined;
    one.thread.rest();
    if ('result' in answer) call.resolve(answer.result);
    else call.reject(errorOf(answer.error));
    this.#next();
  }

  #failed(one: PoolThread, error: unknown): void {
    if (!this.#threads.delete(one)) return;
    one.thread.end();
    one.call?.reject(error);
    this.#next();
  }

  /** The caller hears of it at once; the thread is free when its call has come to its next turn. */
  #abort(call: PendingCall, reason: unknown): void {
    const at = this.#waiting.indexOf(call);
    if (at >= 0) this.#waiting.splice(at, 1);
    for (const one of this.#threads) {
      if (one.call === call) one.thread.post({ abort: call.message.id } satisfies ToThread, []);
    }
    call.reject(reason);
  }
}

const closedError = () => new DOMException('This sanitizer was closed', 'AbortError');

function errorOf(error: Extract<FromThread, { error: unknown }>['error']): unknown {
  return 'thrown' in error ? error.thrown : new ImageError(error.code, error.message, error.issues);
}
