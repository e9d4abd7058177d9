import { type StartThread, type WebWorker, webThread } from './threads.ts';

/** What is used of a page's workers, whose types the Worker of the service does not have. */
interface PageWorker extends WebWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onmessageerror: (() => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
}
declare const Worker: new (address: URL, options: { readonly type: 'module' }) => PageWorker;

const { navigator } = globalThis as { navigator?: { readonly hardwareConcurrency?: number } };

/** Absent where a browser hides it, or where there is no browser. */
export const cores = navigator?.hardwareConcurrency || 1;

/** Pages: a module worker. Bundlers understand an address that is written like this. */
export const startThread: StartThread = ({ message, failed }) => {
  const worker = new Worker(new URL('./worker_thread_web.js', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }) => message(data);
  worker.onerror = ({ message: text }) => failed(new Error(`A worker has failed: ${text ?? 'no script'}`));
  worker.onmessageerror = () => failed(new Error('A worker has sent what cannot be read'));
  return webThread(worker);
};
