import { serve } from './thread_calls.ts';

/** The members of a dedicated worker's global scope that are used; its types exclude those of a page. */
interface WorkerScope {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
}
const scope = globalThis as unknown as WorkerScope;
const receive = serve((answer, transfer) => scope.postMessage(answer, transfer));
scope.onmessage = ({ data }) => receive(data);
