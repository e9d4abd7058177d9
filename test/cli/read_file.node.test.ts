import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readFile } from '../../src/cli/read_file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('reads a file into a buffer that is its own', async () => {
  await writeFile(join(folder, 'a'), Uint8Array.of(1, 2, 3));
  const bytes = (await readFile(join(folder, 'a'), 3)) as Uint8Array;
  expect([...bytes]).toEqual([1, 2, 3]);
  expect(bytes.buffer.byteLength).toBe(3);
});

it('reads no byte of a file that is too large', async () => {
  await writeFile(join(folder, 'a'), '');
  await truncate(join(folder, 'a'), 2 ** 40);
  await expect(readFile(join(folder, 'a'), 2 ** 39)).rejects.toMatchObject({ code: 'payload_too_large' });
});

it('reads a pipe as it comes', async () => {
  const pipe = join(folder, 'pipe');
  await new Promise((done) => execFile('mkfifo', [pipe], done));
  const written = writeFile(pipe, 'abc');
  const stream = (await readFile(pipe, 9)) as ReadableStream<Uint8Array<ArrayBuffer>>;
  expect(await new Response(stream).text()).toBe('abc');
  await written;
});

it('tells of a folder, and of what is not there', async () => {
  await expect(readFile(folder, 9)).rejects.toThrow('folder');
  await expect(readFile(join(folder, 'none'), 9)).rejects.toMatchObject({ code: 'ENOENT' });
});
