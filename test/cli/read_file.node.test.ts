import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readFile, readHead } from '../../src/cli/read_file.ts';

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

it('reads a pipe that this process has open as it comes', async () => {
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const end = openSync(pipe, 'r+');
  writeSync(end, 'abc');
  const stream = (await readFile(`/dev/fd/${end}`, 9)) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const reader = stream.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('abc');
  closeSync(end);
  expect((await reader.read()).done).toBe(true);
});

it('refuses a pipe that nobody writes to, and a device, instead of waiting for them', async () => {
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  await symlink(pipe, join(folder, 'a.jpg'));
  for (const path of [pipe, join(folder, 'a.jpg'), '/dev/zero']) {
    await expect(readFile(path, 9)).rejects.toThrow('no file but a pipe');
    await expect(readHead(path, 9)).rejects.toThrow('no file but a pipe');
  }
});

it('reads the first bytes alone, or all where there are fewer', async () => {
  await writeFile(join(folder, 'a'), Uint8Array.of(1, 2, 3));
  expect([...(await readHead(join(folder, 'a'), 2))]).toEqual([1, 2]);
  expect([...(await readHead(join(folder, 'a'), 9))]).toEqual([1, 2, 3]);
});

it('tells of a folder, and of what is not there', async () => {
  await expect(readFile(folder, 9)).rejects.toThrow('folder');
  await expect(readFile(join(folder, 'none'), 9)).rejects.toMatchObject({ code: 'ENOENT' });
});
