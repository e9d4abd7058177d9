import { pageCores, pageThread, type StartThread } from '../../library/threads.ts';
import { startWorker } from '../page_worker.ts';
import type { LoadingMessage } from './assets.ts';

/**
 * The library's threads in this page; scripts/playground/build.mjs puts this module in the place of
 * `#threads`. Unlike the package's own, a worker is started from the address named in the document, and
 * reports the loading progress of its parts.
 */

export const cores = pageCores();

let listener: (done: number, total: number) => void = () => undefined;

/** @param listen called with the loaded and the total bytes of the face detector */
export function onLoading(listen: typeof listener): void {
  listener = listen;
}

const isLoading = (value: unknown): value is LoadingMessage =>
  typeof value === 'object' && value !== null && 'loading' in value;

export const startThread: StartThread = ({ message, failed }) => {
  const take = (data: unknown) => {
    if (isLoading(data)) listener(data.loading.done, data.loading.total);
    else message(data);
  };
  return pageThread(startWorker('worker'), { message: take, failed });
};
