import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFiles, type LeftAlone } from '../../src/cli/find_files.ts';
import type { SkipReason } from '../../src/cli/skipped.ts';
import { fileExtensions } from '../../src/metadata/extensions.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-'));
  await mkdir(join(folder, 'a', 'deep', 'deeper'), { recursive: true });
  await mkdir(join(folder, 'trip-1'));
  const names = ['b.JPG', 'a/[x].png', 'a/c.webp', 'a/notes.txt', 'a/deep/d.jpg', 'a/deep/deeper/e.tif'];
  for (const name of [...names, 'trip-1/f.gif', 'a/c.clean.jpg']) await writeFile(join(folder, name), '');
  await symlink(join(folder, 'a'), join(folder, 'circle'));
  await symlink(join(folder, 'a', 'c.webp'), join(folder, 'linked.avif'));
  execFileSync('mkfifo', [join(folder, 'pipe.jpg')]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What is found, as `path below the test's folder → below`. */
async function found(input: string, leftAlone?: LeftAlone): Promise<string[]> {
  const lines: string[] = [];
  for await (const file of findFiles([input === '-' ? input : join(folder, input)], leftAlone)) {
    const path = file.path.replace(`${folder}/`, '');
    lines.push('error' in file ? `${path}: ${(file.error as Error).message}` : `${path} → ${file.below}`);
  }
  return lines;
}

const withoutBelow = (lines: string[]) => lines.map((line) => line.replace(/ →.*/, ''));

describe('findFiles', () => {
  it('takes a file whatever its name, and the standard input', async () => {
    expect(await found('a/notes.txt')).toEqual(['a/notes.txt → notes.txt']);
    expect(await found('-')).toEqual(['- → stdin']);
  });

  it('takes the images of a folder in order; no pipes, and no folders behind links', async () => {
    expect(await found('.')).toEqual([
      'a/[x].png → a/[x].png',
      'a/c.clean.jpg → a/c.clean.jpg',
      'a/c.webp → a/c.webp',
      'a/deep/d.jpg → a/deep/d.jpg',
      'a/deep/deeper/e.tif → a/deep/deeper/e.tif',
      'b.JPG → b.JPG',
      // Reading it tells that it is a folder; nothing below it is taken.
      'linked.avif → linked.avif',
      'trip-1/f.gif → trip-1/f.gif',
    ]);
  });

  it('leaves alone what an earlier run has written', async () => {
    expect(withoutBelow(await found('a', { isOutput: (name) => name.includes('.clean.') }))).toHaveLength(4);
    expect(withoutBelow(await found('a', { folder: join(folder, 'a', 'deep') }))).toEqual([
      'a/[x].png',
      'a/c.clean.jpg',
      'a/c.webp',
    ]);
  });

  it('takes every extension of every input format, also the rare ones', async () => {
    const names = Object.values(fileExtensions).flatMap((all) => all.map((extension) => `x.${extension}`));
    await mkdir(join(folder, 'all'));
    for (const name of names) await writeFile(join(folder, 'all', name), '');
    const lines = await found('all');
    await rm(join(folder, 'all'), { recursive: true });
    expect(lines).toEqual(names.sort().map((name) => `all/${name} → ${name}`));
    expect(names).toEqual(expect.arrayContaining(['x.apng', 'x.jpe', 'x.mpo']));
  });

  it('tells what it passes over, and why', async () => {
    const made = join(folder, 'odd');
    await mkdir(join(made, 'skip'), { recursive: true });
    for (const name of ['A.HEIC', 'b.dng', 'c.mov', 'd.svg', 'e', 'f.clean.jpg', 'g.jpg', 'skip/h.jpg']) {
      await writeFile(join(made, name), '');
    }
    await symlink(made, join(made, 'circle'));
    execFileSync('mkfifo', [join(made, 'pipe.jpg')]);
    const reasons: SkipReason[] = [];
    const lines = await found('odd', {
      exclude: ['sk*'],
      isOutput: (name) => name.includes('.clean.'),
      skip: (reason) => reasons.push(reason),
    });
    await rm(made, { recursive: true });
    expect(lines).toEqual(['odd/g.jpg → g.jpg']);
    const all = ['excluded', 'heic', 'link', 'other', 'output', 'picture', 'raw', 'special', 'video'];
    expect(reasons.sort()).toEqual(all);
  });

  it.each([
    [
      ['*.clean.*', 'deep'],
      ['[x].png', 'c.webp'],
    ],
    [['deep/*.jpg'], ['[x].png', 'c.clean.jpg', 'c.webp', 'deep/deeper/e.tif']],
    [
      ['./deep/deeper/', '[[]*'],
      ['c.clean.jpg', 'c.webp', 'deep/d.jpg'],
    ],
    [['**/*.{jpg,tif}'], ['[x].png', 'c.webp']],
  ])('leaves out what %j match', async (exclude, expected) => {
    expect(withoutBelow(await found('a', { exclude }))).toEqual(expected.map((name) => `a/${name}`));
    expect(withoutBelow(await found('a/**', { exclude }))).toEqual(expected.map((name) => `a/${name}`));
  });

  it('leaves out a file that was named itself, too', async () => {
    expect(await found('a/notes.txt', { exclude: ['*.txt'] })).toEqual([]);
  });

  it.each([
    ['a/*.webp', ['a/c.webp → c.webp']],
    ['a/**/*.{jpg,tif}', ['a/c.clean.jpg', 'a/deep/d.jpg', 'a/deep/deeper/e.tif']],
    ['a/*/*', ['a/deep/d.jpg', 'a/deep/deeper/e.tif']],
    ['trip-*', ['trip-1/f.gif → trip-1/f.gif']],
    ['a/**', ['a/[x].png', 'a/c.clean.jpg', 'a/c.webp', 'a/deep/d.jpg', 'a/deep/deeper/e.tif']],
    ['?.J*', ['b.JPG']],
    // A name that is there is no pattern.
    ['a/[x].png', ['a/[x].png → [x].png']],
    ['a/[d-w].webp', ['a/[d-w].webp: no image has such a name']],
  ])('takes what the pattern %s says', async (pattern, expected) => {
    const lines = await found(pattern);
    expect(expected[0]?.includes('→') ? lines : withoutBelow(lines)).toEqual(expected);
  });

  it('tells of an input that is not there, and goes on', async () => {
    const lines: string[] = [];
    for await (const file of findFiles([join(folder, 'none'), join(folder, 'none', '*.jpg'), '-'])) {
      lines.push('error' in file ? (file.error as NodeJS.ErrnoException).code! : file.path);
    }
    expect(lines).toEqual(['ENOENT', 'ENOENT', '-']);
  });
});
