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

/** What is used of a page's workers, whose types the Worker of the service does not have. */
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

/** Absent where a browser hides it, or where there is no browser. */
export const pageCores = (): number =>
  (globalThis as { navigator?: { readonly hardwareConcurrency?: number } }).navigator?.hardwareConcurrency ||
  1;
