import { startWorker } from '../page_worker.ts';
import type { Jobs } from './jobs.ts';
import type { JobAnswer, JobMessage } from './picture_worker.ts';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Idle milliseconds after which the worker is ended: until then it keeps the memory of its last job. */
const IDLE = 1000;

/** The page's only worker for pictures, started with the first job. */
let worker: Worker | null = null;
let idle = 0;
let lastId = 0;
const waiting = new Map<number, Waiting>();

function start(): Worker {
  const started = startWorker('picture-worker');
  started.onmessage = ({ data }: MessageEvent<JobAnswer>) => {
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if ('value' in data) call?.resolve(data.value as never);
    else call?.reject(new Error(data.failure));
    if (waiting.size === 0) idle = window.setTimeout(end, IDLE);
  };
  // Its script could not be loaded, or it failed.
  started.onerror = () => {
    end();
    for (const { reject } of waiting.values()) reject(new Error('The worker for pictures has failed'));
    waiting.clear();
  };
  return started;
}

/** Ends the worker; the next job starts another. */
function end(): void {
  worker?.terminate();
  worker = null;
}

/**
 * Runs a job of pictures/jobs.ts in a worker, after all earlier ones.
 * @throws Error if the browser can't do it
 */
export function inWorker<J extends keyof Jobs>(
  job: J,
  ...given: Parameters<Jobs[J]>
): Promise<Awaited<ReturnType<Jobs[J]>>> {
  clearTimeout(idle);
  worker ??= start();
  lastId++;
  const message: JobMessage<J> = { id: lastId, job, given };
  worker.postMessage(message);
  return new Promise((resolve, reject) => waiting.set(message.id, { resolve, reject }));
}
