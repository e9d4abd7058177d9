import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run's own, for what its files make once (fixtures/made_once.ts). */
    runFolder: string;
  }
}

/** @returns what removes that folder */
export default function provideRunFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'test-run-'));
  project.provide('runFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
