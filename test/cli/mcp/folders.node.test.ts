import { mkdir, mkdtemp, open, readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CallError } from '../../../src/cli/call_error.ts';
import { Folders, PathError } from '../../../src/cli/mcp/folders.ts';
import { readFile } from '../../../src/cli/read_file.ts';
import { writeWhole } from '../../../src/cli/write_file.ts';

let base: string;
let folders: Folders;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'folders-')));
  await mkdir(join(base, 'in', 'deep'), { recursive: true });
  await mkdir(join(base, 'in-other'));
  await writeFile(join(base, 'in', 'a.jpg'), 'a');
  await writeFile(join(base, 'in-other', 'b.jpg'), 'b');
  await symlink(join(base, 'in-other'), join(base, 'in', 'out'));
  await symlink(join(base, 'in-other', 'b.jpg'), join(base, 'in', 'b.jpg'));
  await symlink(join(base, 'in'), join(base, 'link'));
  folders = await Folders.of([join(base, 'link')]);
});
afterEach(() => rm(base, { recursive: true, force: true }));

it('gives where files within really lie, by relative paths and through links, too', async () => {
  const real = join(base, 'in', 'a.jpg');
  for (const path of ['a.jpg', './deep/../a.jpg', real, join(base, 'link', 'a.jpg')]) {
    expect(await folders.source(path)).toBe(real);
  }
  expect(await folders.output('deep/new.png')).toBe(join(base, 'in', 'deep', 'new.png'));
});

it.each([
  '../in-other/b.jpg',
  'b.jpg',
  'out/b.jpg',
  '/etc/passwd',
  '/none/such',
  '..',
  'out/../../in-other/b.jpg',
])('refuses to read %s, which lies outside, and does not say whether it is there', async (path) => {
  await expect(folders.source(path)).rejects.toThrow(PathError);
  await expect(folders.source(path)).rejects.toThrow('is outside of the folders');
});

it('says that a file within is not there', async () => {
  await expect(folders.source('none.jpg')).rejects.toThrow('none.jpg: no such file or directory');
});

it.each(['../in-other/c.jpg', 'out/c.jpg', '/tmp/c.jpg', 'deep/', 'deep/..', '.', 'none/c.jpg', 'a\0.png'])(
  'refuses to write %s',
  async (path) => {
    await expect(folders.output(path)).rejects.toThrow(PathError);
  },
);

it('repeats the beginning of a path alone, however long it is', async () => {
  const long = 'x'.repeat(100_000);
  for (const path of [`${long}.png`, `../${long}`, `none/${long}.png`, `${long}/`]) {
    const error = await folders
      .output(path)
      .then((real) => folders.source(real))
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(PathError);
    expect(error.message.length).toBeLessThan(500);
  }
});

it('takes folders alone', async () => {
  await expect(Folders.of([join(base, 'none')])).rejects.toThrow(CallError);
  await expect(Folders.of([join(base, 'in', 'a.jpg')])).rejects.toThrow('is no folder');
});

it('notices a folder that became a link between the look at a path and its opening', async () => {
  await writeFile(join(base, 'in', 'deep', 'b.jpg'), 'within');
  const source = await folders.source('deep/b.jpg');
  const output = await folders.output('deep/c.jpg');
  const read = () => readFile(source, 100, (file) => folders.requireStill(source, file));
  const write = () =>
    writeWhole(output, Uint8Array.of(1), false, undefined, (file, path) => folders.requireStill(path, file));
  expect(String(Buffer.from((await read()) as Uint8Array))).toBe('within');
  await write();
  await rm(output);
  await rename(join(base, 'in', 'deep'), join(base, 'in', 'moved'));
  await symlink(join(base, 'in-other'), join(base, 'in', 'deep'));
  await expect(read()).rejects.toThrow(PathError);
  await expect(write()).rejects.toThrow(PathError);
  expect(await readdir(join(base, 'in-other'))).toEqual(['b.jpg']);
  // A file of the same path, which is not the one that was opened.
  await rm(join(base, 'in', 'deep'));
  await rename(join(base, 'in', 'moved'), join(base, 'in', 'deep'));
  await using other = await open(join(base, 'in-other', 'b.jpg'));
  await expect(folders.requireStill(source, other)).rejects.toThrow('was moved while it was opened');
});
