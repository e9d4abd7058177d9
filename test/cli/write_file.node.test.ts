import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { modesOf, writeWhole } from '../../src/cli/write_file.ts';

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

it('writes, and replaces nothing, where the file system has no hard links', async () => {
  const noLink = () => Promise.reject(Object.assign(new Error('no links'), { code: 'ENOTSUP' }));
  vi.doMock('node:fs/promises', async (original) => ({ ...(await original<object>()), link: noLink }));
  vi.resetModules();
  const { writeWhole: write } = await import('../../src/cli/write_file.ts');
  vi.doUnmock('node:fs/promises');
  const path = join(folder, 'a.jpg');
  await write(path, bytes, false);
  expect(new Uint8Array(await readFile(path))).toEqual(bytes);
  await expect(write(path, new Uint8Array(1), false)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(path)).toHaveLength(3);
  expect(await readdir(folder)).toEqual(['a.jpg']);
});

it.skipIf(getuid?.() === 0)('tells of a folder that it may not write to', async () => {
  await chmod(folder, 0o500);
  await expect(writeWhole(join(folder, 'a.jpg'), bytes, false)).rejects.toMatchObject({ code: 'EACCES' });
  await chmod(folder, 0o700);
});

/** The bits of a path's mode that say who may do what. */
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it('gives a file no wider mode than its source has, not for a moment', async () => {
  await chmod(folder, 0o700);
  const source = join(folder, 'source');
  await writeFile(source, '', { mode: 0o600 });
  const modes = await modesOf(source);
  const out = join(folder, 'out');
  let isDone = false;
  const writing = writeWhole(join(out, 'a.jpg'), new Uint8Array(1 << 25), false, modes).then(() => {
    isDone = true;
  });
  const seen = new Set<number>();
  while (!isDone) {
    for (const name of await readdir(out).catch(() => [])) {
      seen.add(await modeOf(join(out, name)).catch(() => 0o600));
    }
  }
  await writing;
  expect([...seen]).toEqual([0o600]);
  expect([await modeOf(join(out, 'a.jpg')), await modeOf(out)]).toEqual([0o600, 0o700]);
});

it('keeps a replaced file as closed as it was, and hands on no right to execute', async () => {
  const [source, path] = [join(folder, 'source'), join(folder, 'a.jpg')];
  await writeFile(source, '');
  await chmod(source, 0o755);
  await writeWhole(path, bytes, false, await modesOf(source));
  expect(await modeOf(path)).toBe(0o644);
  await chmod(path, 0o600);
  await writeWhole(path, bytes, true, await modesOf(source));
  expect(await modeOf(path)).toBe(0o600);
});

it('writes a file whose name is as long as names may be', async () => {
  for (const name of [`${'x'.repeat(250)}.jpg`, `${'é'.repeat(125)}.jpg`, 'y'.repeat(255)]) {
    await writeWhole(join(folder, name), bytes, false);
    expect(await readdir(folder)).toEqual([name]);
    await rm(join(folder, name));
  }
});
