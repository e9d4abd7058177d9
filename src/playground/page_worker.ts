/** What is used of Trusted Types, which not all browsers have, nor TypeScript's types. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(name: string): string },
  ): {
    createScriptURL(name: string): string;
  };
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** The scripts that may become workers: those that the document names. */
function workerAddress(name: string): string {
  const named = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
  if (!named) throw new Error('The page names no such worker');
  return named.content;
}
// The one policy that the page's Content-Security-Policy allows for them (Trusted Types, section 4.1).
const policy = trustedTypes?.createPolicy('worker', { createScriptURL: workerAddress });

/** A new worker of this page. @param name of the document's `meta` with its address */
export const startWorker = (name: 'worker' | 'picture-worker'): Worker =>
  new Worker(policy?.createScriptURL(name) ?? workerAddress(name), { type: 'module' });
