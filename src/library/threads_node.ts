import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { StartThread } from './threads.ts';
import { nodeThread } from './worker_threads.ts';

export const cores = availableParallelism();

/** Node, Deno and Bun: worker threads. */
export const startThread: StartThread = (listener) => {
  const address = new URL('./worker_thread_node.js', import.meta.url);
  // Without the program's own flags, some of which (--input-type) do not work with files.
  return nodeThread(new Worker(fileURLToPath(address.href), { execArgv: [] }), listener);
};
