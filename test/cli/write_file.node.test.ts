import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeWhole } from '../../src/cli/write_file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bytes = Uint8Array.of(1, 2, 3);

it('writes a file, and the folders above it', async () => {
  await writeWhole(join(folder, 'a', 'b', 'c.jpg'), bytes, false);
  expect(new Uint8Array(await readFile(join(folder, 'a', 'b', 'c.jpg')))).toEqual(bytes);
  expect(await readdir(join(folder, 'a', 'b'))).toEqual(['c.jpg']);
});

it('replaces a file by force alone, and leaves nothing else behind', async () => {
  const path = join(folder, 'a.jpg');
  await writeFile(path, 'old');
  await expect(writeWhole(path, bytes, false)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(path, 'utf8')).toBe('old');
  await writeWhole(path, bytes, true);
  expect(new Uint8Array(await readFile(path))).toEqual(bytes);
  expect(await readdir(folder)).toEqual(['a.jpg']);
});

it('lets one of two writers at once win', async () => {
  const path = join(folder, 'a.jpg');
  const ends = await Promise.allSettled([1, 2].map((value) => writeWhole(path, Uint8Array.of(value), false)));
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await readFile(path)).toHaveLength(1);
});

it.skipIf(getuid?.() === 0)('tells of a folder that it may not write to', async () => {
  await chmod(folder, 0o500);
  await expect(writeWhole(join(folder, 'a.jpg'), bytes, false)).rejects.toMatchObject({ code: 'EACCES' });
  await chmod(folder, 0o700);
});
