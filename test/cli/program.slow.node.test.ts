import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sanitize } from '../../src/library/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { type InstalledPackage, installPackage, nodes, runToEnd } from '../fixtures/installed_package.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';
import { haveTools } from '../fixtures/tools.ts';

/** Whether this user may mount a file system in a namespace of its own, which ends with the program. */
const mayMount =
  haveTools('unshare') &&
  spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
/** Whether a program can be run on a terminal that a test reads. */
const hasTerminal = haveTools('script');
if (!mayMount) console.log('skipped: a full disk, since unshare may not mount a file system here');

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed?.[Symbol.asyncDispose]());

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(installed.folder, 'run-'));
  await mkdir(join(folder, 'in'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const cli = (...args: string[]) => runToEnd(installed.cli, args, folder);

/** So many photos in `in`, 1000 × 750 or as large as they are named. */
async function writePhotos(count: number, width = 1000): Promise<void> {
  const photo = await sampleFile('jpeg', drawPeople(width, width * 0.75));
  for (let at = 0; at < count; at++) {
    await writeFile(join(folder, 'in', `${String(at).padStart(2, '0')}.jpg`), photo);
  }
}

/** Files of a folder that are no whole clean images. */
async function notWhole(at: string): Promise<string[]> {
  if (!existsSync(at)) return [];
  const names = await readdir(at);
  const bad = await Promise.all(
    names.map(async (name) => {
      const facts = scan(await readFile(join(at, name)));
      return facts?.complete && facts.blocks.length === 0 ? [] : [name];
    }),
  );
  return bad.flat();
}

/** The figures of a summary's line, by their words. */
function summary(stderr: string): Record<string, number> {
  const line = stderr.trimEnd().split('\n').at(-1)!;
  return Object.fromEntries(
    [...line.matchAll(/(\d+) (cleaned|refused|skipped|not tried)/g)].map(([, n, word]) => [word!, Number(n)]),
  );
}

describe.each(nodes())('in %s', (_, [node]) => {
  it('cleans a folder of 50 mixed files, and tells how it went', async () => {
    const photos = await Promise.all(
      inputFormats.map((format) => sampleFile(format, drawPeople(120, 90, [{ x: 30, y: 10, w: 40, h: 50 }]))),
    );
    for (let at = 0; at < 50; at++) {
      const format = inputFormats[at % inputFormats.length]!;
      const photo = photos[at % inputFormats.length]!;
      const file = at % 10 === 9 ? photo.subarray(0, photo.length / 3) : photo;
      const below = join(folder, 'in', at % 3 === 0 ? 'deep' : '.');
      await mkdir(below, { recursive: true });
      await writeFile(join(below, `${at}.${format}`), file);
    }
    const { code, stdout, stderr } = await runToEnd(
      node!,
      [installed.cli, 'clean', 'in', '-o', 'out', '--json', '-j', '2'],
      folder,
    );
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(50);
    const refused = lines.filter((line) => 'error' in line);
    expect(refused.length).toBeGreaterThan(0);
    expect([code, summary(stderr)]).toEqual([1, { cleaned: 50 - refused.length, refused: refused.length }]);
    expect(stderr.split('\n').filter((line) => line.startsWith('image-sanitizer: '))).toHaveLength(
      refused.length,
    );
    for (const { file, output, report } of lines.filter((line) => 'output' in line)) {
      const bytes = await readFile(join(folder, output));
      expect([file, bytes.length]).toEqual([file, report.bytes]);
      expect(scan(bytes)).toMatchObject({ complete: true, blocks: [] });
    }
  });
});

it('gives the bytes of the library, from file to file and from stream to stream', async () => {
  const photo = await sampleFile('jpeg', drawPeople(640, 480, [{ x: 200, y: 100, w: 160, h: 200 }]));
  await writeFile(join(folder, 'photo.jpg'), photo);
  const { bytes } = await sanitize(photo, { grayscale: true });
  expect(await cli('clean', 'photo.jpg', '--grayscale')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await readFile(join(folder, 'photo.clean.jpg'))).equals(bytes)).toBe(true);
  const piped = `${installed.cli} clean - --grayscale < photo.jpg > piped.jpg`;
  expect(await runToEnd('sh', ['-c', piped], folder)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await readFile(join(folder, 'piped.jpg'))).equals(bytes)).toBe(true);
});

it('says by its exit code how it went, and how it is called', async () => {
  await writePhotos(1, 100);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli(...args);
    return [code, stdout.split('\n')[0], stderr.split('\n')[0]];
  };
  expect(await run('clean', 'in', '--quality', '5')).toEqual([
    2,
    '',
    'error: --quality: Expected an integer from 30 to 100 but received 5',
  ]);
  expect(await run('inspect', 'in/00.jpg')).toEqual([0, 'in/00.jpg: JPEG, 100 × 75 pixels', '']);
  expect((await run('--help'))[0]).toBe(0);
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(await run('--version')).toEqual([0, version, '']);
  expect(await run('serve')).toEqual([2, '', expect.stringContaining('the service is not part of this')]);
});

describe('what it passes over', () => {
  it('is counted, and a folder without any photo it can read is no success', async () => {
    for (const name of ['1.HEIC', '2.heif', 'raw.dng', 'notes.txt'])
      await writeFile(join(folder, 'in', name), '');
    const none = await cli('clean', 'in', '-o', 'out', '--quiet');
    expect([none.code, none.stdout, existsSync(join(folder, 'out'))]).toEqual([1, '', false]);
    expect(none.stderr).toContain(
      'Passed over: 2 HEIC photos, 1 raw photo, 1 other file\nHEIC is not read: convert',
    );
    expect(none.stderr).toContain('no image was found');
    await writePhotos(1, 100);
    const one = await cli('clean', 'in', '-o', 'out', '--exclude', '*.txt', '--no-faces');
    expect([one.code, one.stderr.split('\n')[0]]).toEqual([
      0,
      'Passed over: 2 HEIC photos, 1 raw photo, 1 excluded',
    ]);
    expect(await cli('clean', 'in', '-o', 'more', '-q', '--no-faces')).toMatchObject({ code: 0, stderr: '' });
  });
});

it('refuses a call that can only go wrong, before it writes anything', async () => {
  await writePhotos(2, 100);
  for (const [args, reason] of [
    [['in', '-o', '-'], 'error: -o -: the standard output takes the image of one file only'],
    [['in/00.jpg', '-o', 'out.png', '--format', 'jpg'], 'error: -o out.png is a PNG, but --format says jpeg'],
    [['in', '-o', 'x.{extension}'], 'Expected only {dir}, {name}, {source}, {ext}'],
  ] as const) {
    const { code, stdout, stderr } = await cli('clean', ...args);
    expect([code, stdout, await readdir(folder)]).toEqual([2, '', ['in']]);
    expect(stderr).toContain(reason);
  }
});

it('reads /dev/stdin, and does not wait for a pipe that nobody writes to', async () => {
  await writePhotos(1, 100);
  const line = `${installed.cli} clean /dev/stdin -o a.png --no-faces < in/00.jpg && cat in/00.jpg |
    ${installed.cli} clean /dev/stdin -o b.png --no-faces && mkfifo pipe.jpg && ${installed.cli} clean pipe.jpg`;
  const { code, stderr } = await runToEnd('sh', ['-c', line], folder);
  expect([code, stderr.split('\n')[0]]).toEqual([
    1,
    expect.stringContaining('pipe.jpg: this is no file but a pipe'),
  ]);
  for (const name of ['a.png', 'b.png']) {
    expect(scan(await readFile(join(folder, name)))).toMatchObject({ format: 'png', width: 100 });
  }
});

it('works with as many threads as memory allows, and says so', async () => {
  await writePhotos(1, 1000);
  const { code, stderr } = await cli('clean', 'in/00.jpg', '--no-faces', '--jobs', '99');
  expect([code, stderr]).toEqual([0, expect.stringContaining('--jobs 99: --memory 1024 allows 10')]);
});

it.skipIf(!hasTerminal)('has a line on every photo on a terminal', async () => {
  await writePhotos(2, 100);
  const line = `stty cols 200; ${installed.cli} clean in -o out/`;
  const { code, stdout } = await runToEnd('script', ['-qec', line, '/dev/null'], folder);
  expect(code).toBe(0);
  for (const name of ['00', '01']) {
    expect(stdout).toContain(`in/${name}.jpg → out/${name}.jpg, 100 × 75: 0 faces hidden; no faces found`);
  }
});

it.skipIf(!hasTerminal)('shows on a terminal how far one large file is, and how far two are', async () => {
  await writePhotos(2, 3000);
  for (const [jobs, files] of [
    ['1', 'in/00.jpg'],
    ['2', 'in'],
  ]) {
    const line = `stty cols 100; ${installed.cli} clean ${files} -o out/ --force --format webp -j ${jobs}`;
    const { code, stdout } = await runToEnd('script', ['-qec', line, '/dev/null'], folder);
    const shares = [...stdout.matchAll(/(\d+) %, 0\/[12] files/g)].map(([, share]) => Number(share));
    expect(code).toBe(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(new Set(shares).size).toBeGreaterThan(5);
  }
});

describe('a run that is interrupted', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s leaves whole files and a true sum, and the next goes on', async (signal, code) => {
    // Large enough that the signal comes long before the last of them.
    await writePhotos(40, 2000);
    const args = ['clean', 'in', '-o', 'out', '--no-faces', '-j', '2'];
    const started = spawn(installed.cli, args, { cwd: folder });
    let stderr = '';
    started.stderr.on('data', (text) => {
      stderr += text;
    });
    const out = join(folder, 'out');
    while (!existsSync(out) || (await readdir(out)).length < 3) await new Promise((r) => setTimeout(r, 5));
    started.kill(signal);
    const ended = await new Promise((done) => started.on('close', done));
    const names = await readdir(out);
    expect([ended, await notWhole(out)]).toEqual([code, []]);
    const { cleaned = 0, 'not tried': left = 0, ...others } = summary(stderr);
    expect([cleaned, cleaned + left, others]).toEqual([names.length, 40, {}]);
    expect(left).toBeGreaterThan(0);
    expect(stderr).toContain('interrupted');
    const next = await cli(...args, '--skip-existing');
    expect([next.code, summary(next.stderr)]).toEqual([0, { cleaned: left, skipped: names.length }]);
    expect((await readdir(out)).length).toBe(40);
  });

  it('by a reader that has gone ends without a word of its own', async () => {
    await writePhotos(30);
    const head = `${installed.cli} inspect in --json -q | head -n 1`;
    const { stdout, stderr } = await runToEnd('bash', ['-c', `${head}; echo "\${PIPESTATUS[0]}"`], folder);
    expect([JSON.parse(stdout.split('\n')[0]!).result.width, stderr]).toEqual([1000, '']);
    expect(['0', '1']).toContain(stdout.split('\n')[1]);
  });
});

describe('a run that cannot write or read', () => {
  it.skipIf(!mayMount)('stops at a full disk, with whole files and a true sum', async () => {
    await writePhotos(20);
    await mkdir(join(folder, 'out'));
    const { length } = (await sanitize(await readFile(join(folder, 'in', '00.jpg')))).bytes;
    const script = `mount -t tmpfs -o size=${length * 5} tmpfs out || exit 99
${installed.cli} clean in -o out --no-faces -j 2
echo $?
cp -r out kept`;
    const { stdout, stderr } = await runToEnd('unshare', ['-Urm', 'sh', '-c', script], folder);
    expect(stdout).toBe('1\n');
    const kept = join(folder, 'kept');
    expect(await notWhole(kept)).toEqual([]);
    const { cleaned, refused = 0, 'not tried': left } = summary(stderr);
    const names = await readdir(kept);
    expect(names.length).toBeGreaterThan(1);
    expect([cleaned, cleaned! + refused + left!]).toEqual([names.length, 20]);
    expect(stderr).toContain('no space left on device');
    expect(refused).toBeLessThan(5);
  });

  it.skipIf(!existsSync('/dev/full'))('refuses an image that the standard output does not take', async () => {
    await writePhotos(1, 100);
    const full = openSync('/dev/full', 'w');
    try {
      const args = ['clean', 'in/00.jpg', '-o', '-', '--no-faces'];
      const { status, stderr } = spawnSync(installed.cli, args, {
        cwd: folder,
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      expect([status, summary(stderr)]).toEqual([1, { cleaned: 0, refused: 1 }]);
      expect(stderr).toContain('no space left on device');
    } finally {
      closeSync(full);
    }
  });

  it('passes an unreadable file in the middle, and a folder that is none', async () => {
    await writePhotos(3, 100);
    await symlink(join(folder, 'nowhere'), join(folder, 'in', '01x.jpg'));
    await symlink(folder, join(folder, 'in', '01y.jpg'));
    const { code, stderr } = await cli('clean', 'in', '-o', 'out', '--no-faces');
    expect([code, summary(stderr)]).toEqual([1, { cleaned: 3, refused: 2 }]);
    expect(await readdir(join(folder, 'out'))).toEqual(['00.jpg', '01.jpg', '02.jpg']);
  });

  it('leaves what it may not replace', async () => {
    await writePhotos(2, 100);
    await mkdir(join(folder, 'out'));
    await writeFile(join(folder, 'out', '00.jpg'), 'mine');
    const { code, stderr } = await cli('clean', 'in', '-o', 'out', '--no-faces');
    expect([code, summary(stderr)]).toEqual([1, { cleaned: 1, refused: 1 }]);
    expect(await readFile(join(folder, 'out', '00.jpg'), 'utf8')).toBe('mine');
  });
});
