import { type StartThread, webThread } from '../../library/threads.ts';
import type { LoadingMessage } from './assets.ts';

/**
 * The library's threads in this page; scripts/build-playground.mjs puts it in the place of `#threads`. Unlike
 * the package's own, a worker is started from the address that the document names, by a policy that the
 * page's Content-Security-Policy allows (Trusted Types, section 4.1), and tells how far its parts are loaded.
 */

/** What is used of Trusted Types, which not all browsers have, nor TypeScript's types. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): string;
  };
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** The one script that may become a worker. */
const workerAddress = () => {
  const named = document.querySelector<HTMLMetaElement>('meta[name="worker"]');
  if (!named) throw new Error('The page names no worker');
  return named.content;
};
const policy = trustedTypes?.createPolicy('worker', { createScriptURL: workerAddress });

export const cores = navigator.hardwareConcurrency || 1;

let listener: (done: number, total: number) => void = () => undefined;

/** @param listen is told how many bytes of the face detector have come, and how many there are */
export function onLoading(listen: typeof listener): void {
  listener = listen;
}

const isLoading = (value: unknown): value is LoadingMessage =>
  typeof value === 'object' && value !== null && 'loading' in value;

export const startThread: StartThread = ({ message, failed }) => {
  const worker = new Worker(policy?.createScriptURL('') ?? workerAddress(), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isLoading(data)) listener(data.loading.done, data.loading.total);
    else message(data);
  };
  worker.onerror = ({ message: text }) => failed(new Error(`A worker has failed: ${text}`));
  return webThread(worker);
};
