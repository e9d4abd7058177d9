/** A thread as the pool sees it, in Node and in pages. */
export interface Thread {
  /** @param transfer buffers that go over to the thread instead of being copied */
  post(message: unknown, transfer: ArrayBuffer[]): void;
  /** It has no call, and must not keep the program running. */
  rest(): void;
  /** It gets a call. */
  work(): void;
  /** Ends it at once, whatever it does. */
  end(): void;
}

/** What a thread tells whoever started it. */
export interface ThreadListener {
  message(value: unknown): void;
  /** It has failed as a whole, and takes nothing more. */
  failed(error: unknown): void;
}

/** Starts a thread that runs `worker_thread_*.ts`. */
export type StartThread = (listener: ThreadListener) => Thread;

/** What a thread of a page needs of its worker. */
export interface WebWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

/** A worker of a page as a thread. */
export const webThread = (worker: WebWorker): Thread => ({
  post: (message, transfer) => worker.postMessage(message, transfer),
  // A page does not wait for its workers.
  rest: () => undefined,
  work: () => undefined,
  end: () => worker.terminate(),
});
