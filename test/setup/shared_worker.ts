import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { startLocalWorker } from '../fixtures/local_worker.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the Worker is that tests share, and a key for it. */
    sharedWorker: { readonly address: string; readonly key: string };
  }
}

/**
 * One Worker with default settings for all tests that need one over HTTP. Those that need other settings, or
 * measure what a Worker holds, start their own. @returns what ends it
 */
export default async function shareWorker(project: TestProject): Promise<() => Promise<void>> {
  // The page as its sources are now, not as they were at the last install.
  execFileSync(process.execPath, ['scripts/playground/build.mjs'], { stdio: 'inherit' });
  execFileSync(process.execPath, ['scripts/reference/build.mjs'], { stdio: 'inherit' });
  const worker = await startLocalWorker();
  project.provide('sharedWorker', { address: worker.address, key: await worker.issueKey() });
  return async () => worker[Symbol.asyncDispose]();
}
