import type { TestProject } from 'vitest/node';
import { startLocalWorker } from '../fixtures/local_worker.ts';
import { browserPath } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one Worker of all tests in the browser is, and a key for it; undefined where there is no browser. */
    served: { readonly address: string; readonly key: string } | undefined;
  }
}

/** One Worker for all tests in the browser. @returns what ends it */
export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  if (!browserPath) {
    project.provide('served', undefined);
    return async () => {};
  }
  const worker = await startLocalWorker();
  project.provide('served', { address: worker.address, key: await worker.issueKey() });
  return async () => worker[Symbol.asyncDispose]();
}
