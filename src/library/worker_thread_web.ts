import { serve } from './thread_calls.ts';

/** What is used of a dedicated worker's global scope, whose types exclude those of a page. */
interface WorkerScope {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
}
const scope = globalThis as unknown as WorkerScope;
const receive = serve((answer, transfer) => scope.postMessage(answer, transfer));
scope.onmessage = ({ data }) => receive(data);
