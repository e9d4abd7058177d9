import type { Thread, ThreadListener } from './threads.ts';

/** The parts of `node:worker_threads` that are used. */
export interface NodeWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  on(event: 'message' | 'messageerror' | 'error' | 'exit', take: (value: unknown) => void): void;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}
interface WorkerThreads {
  readonly parentPort: NodeWorker | null;
  readonly Worker: new (script: string, options: { eval: true; execArgv: string[] }) => NodeWorker;
}

interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
}

/**
 * A module of Node from 20.16, Deno and Bun, loaded without an import that a page's bundler would resolve.
 */
const builtin = (name: string): unknown =>
  (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.(name);

export const workerThreads = () => builtin('node:worker_threads') as WorkerThreads | undefined;

export const nodeCores = (): number | undefined =>
  (builtin('node:os') as { availableParallelism(): number } | undefined)?.availableParallelism();

/** A Node worker as a thread. It keeps the process alive only while it has a call. */
export function nodeThread(worker: NodeWorker, { message, failed }: ThreadListener): Thread {
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
