import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { StartThread } from './threads.ts';

export const cores = availableParallelism();

/** Node, Deno and Bun: worker threads. One keeps the process alive only while it has a call. */
export const startThread: StartThread = ({ message, failed }) => {
  const address = new URL('./worker_thread_node.js', import.meta.url);
  // Without the program's own flags, of which some (--input-type) are not for files.
  const worker = new Worker(fileURLToPath(address.href), { execArgv: [] });
  worker.on('message', message);
  worker.on('messageerror', failed);
  worker.on('error', failed);
  worker.on('exit', (code) => failed(new Error(`A worker thread has ended with ${code}`)));
  return {
    post: (value, transfer) => worker.postMessage(value, transfer),
    rest: () => worker.unref(),
    work: () => worker.ref(),
    end: () => void worker.terminate(),
  };
};
