import { workerThreads } from './worker_threads.ts';

/** The two ends of a thread's messages, in a worker of a page and in one of Node. */
interface ThreadScope {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  listen(take: (message: unknown) => void): void;
}

/** What is used of a dedicated worker's global scope, whose types exclude those of a page. */
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
