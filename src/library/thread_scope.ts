import { workerThreads } from './worker_threads.ts';

/** Both directions of a thread's messages, for web workers and Node's worker threads. */
interface ThreadScope {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  listen(take: (message: unknown) => void): void;
}

/** The members of a dedicated worker's global scope that are used; its types exclude those of a page. */
interface WorkerScope {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
}
const scope = globalThis as unknown as WorkerScope;
const port = workerThreads()?.parentPort;

export const threadScope: ThreadScope = {
  post: (message, transfer) => (port ?? scope).postMessage(message, transfer),
  listen(take) {
    if (port) port.on('message', take);
    else scope.onmessage = ({ data }) => take(data);
  },
};
