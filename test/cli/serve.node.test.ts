import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serve } from '../../src/cli/serve.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serve-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('runs the service with what it is given, and ends as that does', async () => {
  const start = join(folder, 'start.mjs');
  await writeFile(start, 'process.exitCode = process.argv.slice(2).join() === "--port,8799" ? 7 : 1;');
  expect(await serve(['--port', '8799'], pathToFileURL(start))).toBe(7);
});

it('says where there is none', async () => {
  expect(await serve([], pathToFileURL(join(folder, 'start.mjs')))).toBeUndefined();
});
