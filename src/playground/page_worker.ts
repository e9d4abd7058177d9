/** The parts of Trusted Types that are used; not all browsers have them, nor do TypeScript's types. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(name: string): string },
  ): {
    createScriptURL(name: string): string;
  };
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** The address of a worker script; only those named in the document are allowed. */
function workerAddress(name: string): string {
  const named = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
  if (!named) throw new Error('The page names no such worker');
  return named.content;
}
// The only policy for workers that the page's Content-Security-Policy allows (Trusted Types, section 4.1).
const policy = trustedTypes?.createPolicy('worker', { createScriptURL: workerAddress });

/** A new worker of this page. @param name of the document's `meta` that contains its address */
export const startWorker = (name: 'worker' | 'picture-worker'): Worker =>
  new Worker(policy?.createScriptURL(name) ?? workerAddress(name), { type: 'module' });
