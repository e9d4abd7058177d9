import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { type InstalledPackage, installPackage } from '../fixtures/installed_package.ts';
import { sampleFile } from '../fixtures/samples.ts';

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed?.[Symbol.asyncDispose]());

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(installed.folder, 'action-'));
  const photo = sharp({ create: { width: 60, height: 40, channels: 3, background: '#888' } });
  const withExif = photo.withExif({ IFD0: { Artist: 'x' } });
  await writeFile(join(folder, '-a b.jpeg'), await withExif.clone().jpeg().toBuffer());
  await writeFile(join(folder, 'c.avif'), await withExif.clone().avif().toBuffer());
  await writeFile(join(folder, 'd.png'), await sampleFile('png', drawPeople(40, 30)));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the step of action.yml that checks, in a folder of pictures. */
function step(inputs: Record<string, string>) {
  const PROGRAM = join(installed.at, 'dist/package/cli.js');
  const { status, stdout } = spawnSync(process.execPath, [join(process.cwd(), 'scripts/action/check.mjs')], {
    cwd: folder,
    env: { ...process.env, PROGRAM, ...inputs },
    encoding: 'utf8',
  });
  return { status, lines: stdout.split('\n').filter(Boolean) };
}

it('fails where a picture carries metadata, and leaves every file as it was', async () => {
  const before = await readFile(join(folder, '-a b.jpeg'));
  const { status, lines } = step({ PATHS: '.\n', FIX: 'false' });
  expect(status).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^-a b\.jpeg: exif at bytes \d+ to \d+$/));
  expect(await readFile(join(folder, '-a b.jpeg'))).toEqual(before);
});

it('takes it out where it may, and fails for what is not written in its format', async () => {
  const clean = await readFile(join(folder, 'd.png'));
  expect(step({ FIX: 'true', EXCLUDE: '*.avif' })).toEqual({ status: 0, lines: [] });
  expect(scan(await readFile(join(folder, '-a b.jpeg')))!.blocks).toEqual([]);
  // What carries nothing is not encoded anew.
  expect(await readFile(join(folder, 'd.png'))).toEqual(clean);
  const { status, lines } = step({ FIX: 'true' });
  expect(status).toBe(1);
  expect(new Set(lines.map((line) => line.split(':')[0]))).toEqual(new Set(['c.avif']));
});

it('refuses what fix can’t mean', () => {
  expect(step({ FIX: 'yes' }).status).toBe(2);
});
