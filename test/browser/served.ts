import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { startLocalWorker } from '../fixtures/local_worker.ts';
import { browserPath } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Where the one Worker of all tests in the browser is, and a key for it; undefined where there is no
     * browser.
     */
    served: { readonly address: string; readonly key: string } | undefined;
  }
}

/** One Worker for all tests in the browser. @returns what ends it */
export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  if (!browserPath) {
    project.provide('served', undefined);
    return async () => {};
  }
  // The page as its sources are now, not as they were at the last install.
  execFileSync(process.execPath, ['scripts/build-playground.mjs'], { stdio: 'inherit' });
  const worker = await startLocalWorker();
  project.provide('served', { address: worker.address, key: await worker.issueKey() });
  return async () => worker[Symbol.asyncDispose]();
}
