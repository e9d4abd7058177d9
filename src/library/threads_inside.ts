import { threadScript } from '#parts';
import type { PartGiven, PartWanted } from './home_in_thread.ts';
import { home } from './home_inside.ts';
import { type StartThread, type Thread, type ThreadListener, type WebWorker, webThread } from './threads.ts';
import { nodeCores, workerThreads } from './worker_threads.ts';

/** What is used of a page's workers, whose types the Worker of the service does not have. */
interface PageWorker extends WebWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onmessageerror: (() => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
}
interface Page {
  readonly navigator?: { readonly hardwareConcurrency?: number };
  readonly Worker?: new (address: string) => PageWorker;
}
const { navigator, Worker } = globalThis as Page;

/** Absent where a browser hides it. */
export const cores = nodeCores() ?? (navigator?.hardwareConcurrency || 1);

/** A thread out of this file: of Node where there is Node, else a worker by the address of a Blob. */
export const startThread: StartThread = (listener) => {
  const ask = (value: unknown): void => {
    if (!('wanted' in (value as object))) listener.message(value);
    else void give(thread, (value as PartWanted).wanted).catch(listener.failed);
  };
  const thread = startNode({ ...listener, message: ask }) ?? startWeb({ ...listener, message: ask });
  return thread;
};

/** Threads ask for the package's files when they need them. */
async function give(thread: Thread, part: string): Promise<void> {
  const bytes = await home.readFile(new URL(`package:/${part}`));
  thread.post({ part, bytes } satisfies PartGiven, [bytes.buffer]);
}

function startNode({ message, failed }: ThreadListener): Thread | undefined {
  const node = workerThreads();
  if (!node) return undefined;
  const worker = new node.Worker(threadScript, { eval: true, execArgv: [] });
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
}

let address: string | undefined;

function startWeb({ message, failed }: ThreadListener): Thread {
  if (!Worker) throw new Error('Expected worker threads: those of a page, or of Node 20.16, Deno or Bun');
  address ??= URL.createObjectURL(new Blob([threadScript], { type: 'text/javascript' }));
  const worker = new Worker(address);
  worker.onmessage = ({ data }) => message(data);
  worker.onerror = ({ message: text }) => failed(new Error(`A worker has failed: ${text ?? 'no script'}`));
  worker.onmessageerror = () => failed(new Error('A worker has sent what cannot be read'));
  return webThread(worker);
}
