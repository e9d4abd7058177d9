import { beforeAll } from 'vitest';
import { storageUse } from './storage_use.ts';

/** Files share a runtime; no file sees what an earlier one has stored. */
beforeAll(async () => {
  if (!storageUse.begun) return;
  // This module brings the whole Worker with it: files that have no need of it start seconds sooner.
  const { reset } = await import('cloudflare:test');
  await reset();
});
