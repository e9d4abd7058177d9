import { type PageWorker, pageCores, pageThread, type StartThread } from './threads.ts';

declare const Worker: new (address: URL, options: { readonly type: 'module' }) => PageWorker;

export const cores = pageCores();

/** Pages: a module worker. Bundlers recognise a worker's URL in exactly this form. */
export const startThread: StartThread = (listener) =>
  pageThread(new Worker(new URL('./worker_thread_web.js', import.meta.url), { type: 'module' }), listener);
