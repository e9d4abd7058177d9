import { threadScript } from '#parts';
import type { PartGiven, PartWanted } from './home_in_thread.ts';
import { home } from './home_inside.ts';
import {
  type PageWorker,
  pageCores,
  pageThread,
  type StartThread,
  type Thread,
  type ThreadListener,
} from './threads.ts';
import { nodeCores, nodeThread, workerThreads } from './worker_threads.ts';

const { Worker } = globalThis as { readonly Worker?: new (address: string) => PageWorker };

export const cores = nodeCores() ?? pageCores();

/**
 * A thread that runs this same file: a Node worker thread if there is Node, otherwise a web worker from a
 * Blob URL.
 */
export const startThread: StartThread = (listener) => {
  const ask = (value: unknown): void => {
    if (!('wanted' in (value as object))) listener.message(value);
    else void give(thread, (value as PartWanted).wanted).catch(listener.failed);
  };
  const thread = startNode({ ...listener, message: ask }) ?? startWeb({ ...listener, message: ask });
  return thread;
};

/** Sends a package file to a thread that requests it. */
async function give(thread: Thread, part: string): Promise<void> {
  const bytes = await home.readFile(new URL(`package:/${part}`));
  thread.post({ part, bytes } satisfies PartGiven, [bytes.buffer]);
}

function startNode(listener: ThreadListener): Thread | undefined {
  const node = workerThreads();
  return node && nodeThread(new node.Worker(threadScript, { eval: true, execArgv: [] }), listener);
}

let address: string | undefined;

function startWeb(listener: ThreadListener): Thread {
  if (!Worker) throw new Error('Expected worker threads: those of a page, or of Node 20.16, Deno or Bun');
  address ??= URL.createObjectURL(new Blob([threadScript], { type: 'text/javascript' }));
  return pageThread(new Worker(address), listener);
}
