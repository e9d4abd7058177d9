/** A thread as the pool sees it, in Node and in pages. */
export interface Thread {
  /** @param transfer buffers that move to the thread instead of being copied */
  post(message: unknown, transfer: ArrayBuffer[]): void;
  /** Called when it has no call: it must not keep the program running. */
  rest(): void;
  /** Called when it gets a call. */
  work(): void;
  /** Ends it at once, whatever it is doing. */
  end(): void;
}

/** What a thread reports to whoever started it. */
export interface ThreadListener {
  message(value: unknown): void;
  /** It failed as a whole, and accepts no more messages. */
  failed(error: unknown): void;
}

/** Starts a thread that runs `worker_thread_*.ts`. */
export type StartThread = (listener: ThreadListener) => Thread;

/** The members of a page's workers that are used; the types of the service's Worker lack them. */
export interface PageWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): void;
  addEventListener(
    type: 'message' | 'messageerror' | 'error',
    take: (event: { readonly data?: unknown; readonly message?: string }) => void,
  ): void;
}

/** A worker of a page as a thread. */
export function pageThread(worker: PageWorker, { message, failed }: ThreadListener): Thread {
  const fail = (what: string) => failed(new Error(`A worker has ${what}`));
  worker.addEventListener('message', ({ data }) => message(data));
  worker.addEventListener('error', ({ message: text }) => fail(`failed: ${text ?? 'no script'}`));
  worker.addEventListener('messageerror', () => fail('sent what cannot be read'));
  return {
    post: (value, transfer) => worker.postMessage(value, transfer),
    // A page does not wait for its workers.
    rest: () => undefined,
    work: () => undefined,
    end: () => worker.terminate(),
  };
}

/** The number of cores; 1 if a browser hides it, or if there is no browser. */
export const pageCores = (): number =>
  (globalThis as { navigator?: { readonly hardwareConcurrency?: number } }).navigator?.hardwareConcurrency ||
  1;
