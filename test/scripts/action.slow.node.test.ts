import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { type InstalledPackage, installPackage } from '../fixtures/installed_package.ts';
import { sampleFile } from '../fixtures/samples.ts';

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
  // The action is a checkout that has built the program.
  await mkdir(join(installed.folder, 'action'));
  await symlink(join(installed.at, 'dist'), join(installed.folder, 'action/dist'));
  await symlink(resolve('scripts'), join(installed.folder, 'action/scripts'));
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

/** The value of a member of action.yml, whose texts stand in one line. */
const member = (text: string, name: string) =>
  new RegExp(`^ *${name}: (.*)$`, 'm').exec(text)![1]!.replace(/^'(.*)'$/, '$1');

/** Runs the step of action.yml that checks, in a folder of pictures, as a runner does. */
async function step(inputs: Readonly<Record<string, string>>) {
  const action = await readFile('action.yml', 'utf8');
  const [described, check] = action.split('    - name: Check\n') as [string, string];
  const at = join(installed.folder, 'action');
  const valueFor = (expression: string) => {
    if (expression === 'github.action_path') return at;
    const name = expression.replace(/^inputs\./, '');
    return inputs[name] ?? member(described.slice(described.indexOf(`\n  ${name}:\n`)), 'default');
  };
  const [, variables] = /env:\n((?: {8}.*\n)+)/.exec(check)!;
  const env = Object.fromEntries(
    variables!
      .matchAll(/^ +(\w+): (.*)$/gm)
      .map(([, name, value]) => [
        name,
        value!.replace(/\$\{\{ (\S+) \}\}/g, (_, expression) => valueFor(expression)),
      ]),
  );
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', member(check, 'run')];
  const { status, stdout } = spawnSync(member(check, 'shell'), shell, {
    cwd: folder,
    env: { ...process.env, GITHUB_ACTION_PATH: at, ...env },
    encoding: 'utf8',
  });
  return { status, lines: stdout.split('\n').filter(Boolean) };
}

it('fails where a picture carries metadata, and leaves every file as it was', async () => {
  const before = await readFile(join(folder, '-a b.jpeg'));
  const { status, lines } = await step({});
  expect(status).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^-a b\.jpeg: exif at bytes \d+ to \d+$/));
  expect(await readFile(join(folder, '-a b.jpeg'))).toEqual(before);
});

it('takes it out where it may, and fails for what is not written in its format', async () => {
  const clean = await readFile(join(folder, 'd.png'));
  expect(await step({ fix: 'true', exclude: '*.avif' })).toEqual({ status: 0, lines: [] });
  expect(scan(await readFile(join(folder, '-a b.jpeg')))!.blocks).toEqual([]);
  // What carries nothing is not encoded anew.
  expect(await readFile(join(folder, 'd.png'))).toEqual(clean);
  const { status, lines } = await step({ fix: 'true', paths: 'c.avif\nd.png\n' });
  expect(status).toBe(1);
  expect(new Set(lines.map((line) => line.split(':')[0]))).toEqual(new Set(['c.avif']));
});

it('refuses what fix can’t mean', async () => {
  expect((await step({ fix: 'yes' })).status).toBe(2);
});
