import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { startLocalWorker } from '../fixtures/local_worker.ts';
import { browserPath } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Worker that all tests in the browser share, and a key for it; undefined without a browser. */
    served: { readonly address: string; readonly key: string } | undefined;
  }
}

/** Starts one Worker for all tests in the browser. @returns a function that stops it */
export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  if (!browserPath) {
    project.provide('served', undefined);
    return async () => {};
  }
  // Builds the page from its current sources; npm's prepare step built it at the last install.
  execFileSync(process.execPath, ['scripts/build-playground.mjs'], { stdio: 'inherit' });
  const worker = await startLocalWorker();
  project.provide('served', { address: worker.address, key: await worker.issueKey() });
  return async () => worker[Symbol.asyncDispose]();
}
