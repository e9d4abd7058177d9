import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import { CallError } from '../../src/cli/call_error.ts';
import type { RunContext } from '../../src/cli/run_context.ts';
import { runFiles } from '../../src/cli/run_files.ts';
import type { SkipReason } from '../../src/cli/skipped.ts';
import type { Counts } from '../../src/cli/summary.ts';
import { detect, inspect, sanitize } from '../../src/library/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-'));
  await mkdir(join(folder, 'in', 'deep'), { recursive: true });
  const photo = await sampleFile('jpeg', drawPeople(60, 40));
  await writeFile(join(folder, 'in', 'a.jpg'), photo);
  await writeFile(join(folder, 'in', 'b.jpeg'), photo.subarray(0, 300));
  await writeFile(join(folder, 'in', 'deep', 'c.png'), await sampleFile('png', drawPeople(50, 30)));
  await writeFile(join(folder, 'in', 'notes.txt'), 'no image');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface RunOptions {
  readonly input?: Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
  readonly sanitizer?: RunContext['sanitizer'];
}

/** Runs a line, `@` standing for the folder. */
async function run(line: string, { input, signal, sanitizer }: RunOptions = {}) {
  const asked = readArguments(line.replaceAll('@', folder).split(' '), '');
  if (!('files' in asked)) throw new Error(JSON.stringify(asked));
  const printed: (string | Uint8Array)[] = [];
  const complaints: string[] = [];
  const notes: string[] = [];
  const skipped: SkipReason[] = [];
  const told: Counts[] = [];
  const shares: number[] = [];
  const counts = await runFiles(asked.files, {
    sanitizer: sanitizer ?? { sanitize, inspect, detect },
    jobs: 2,
    maxBytes: 1_000_000,
    standardInput: () => new Blob([input ?? new Uint8Array(0)]).stream(),
    print: async (text) => void printed.push(text),
    warn: (text) => complaints.push(text),
    note: (text) => notes.push(text),
    skip: (reason) => skipped.push(reason),
    progress: (counts, underway) => {
      told.push({ ...counts });
      shares.push(underway);
    },
    signal: signal ?? new AbortController().signal,
  });
  return { counts, printed, complaints, notes, skipped, told, shares };
}

/** Of so many files, how they ended. */
const ended = (total: number, done: number, refused = 0, skipped = 0): Counts => ({
  total,
  done,
  refused,
  skipped,
});

describe('clean', () => {
  it('cleans a folder into another, and tells of what it refuses', async () => {
    const { counts, complaints, printed, told } = await run('clean @/in -o @/out --no-faces');
    expect(counts).toEqual(ended(3, 2, 1));
    expect([...new Set(told.map(({ done, refused }) => done + refused))]).toEqual([0, 1, 2, 3]);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain('b.jpeg: ');
    expect(printed).toEqual([]);
    const written = await readdir(join(folder, 'out'), { recursive: true });
    expect(written.sort()).toEqual(['a.jpg', 'deep', join('deep', 'c.jpg')]);
    expect(scan(await readFile(join(folder, 'out', 'a.jpg')))).toMatchObject({ width: 60, blocks: [] });
  });

  it('writes beside the source where no output is named, and replaces nothing', async () => {
    expect((await run('clean @/in/a.jpg --no-faces --format webp')).counts).toEqual(ended(1, 1));
    const written = await readFile(join(folder, 'in', 'a.clean.webp'));
    const again = await run('clean @/in/a.jpg --no-faces --format webp --grayscale');
    expect(again.counts).toEqual(ended(1, 0, 1));
    expect(again.complaints[0]).toContain('--force');
    expect((await readFile(join(folder, 'in', 'a.clean.webp'))).equals(written)).toBe(true);
    expect((await run('clean @/in/a.jpg --no-faces --format webp -f --grayscale')).counts.done).toBe(1);
    expect((await readFile(join(folder, 'in', 'a.clean.webp'))).equals(written)).toBe(false);
  });

  it('names files by a pattern, from a pattern', async () => {
    const line = 'clean @/in/**/*.{jpg,png} --no-faces -o @/out/{dir}/{name}-{source}.{ext}';
    expect((await run(line)).counts).toEqual(ended(2, 2));
    const written = await readdir(join(folder, 'out'), { recursive: true });
    expect(written.sort()).toEqual(['a-jpg.jpg', 'deep', join('deep', 'c-png.jpg')]);
  });

  it('goes on with a run: skips what is there, and takes no output for an input', async () => {
    expect((await run('clean @/in --no-faces')).counts).toEqual(ended(3, 2, 1));
    expect((await run('clean @/in --no-faces -s')).counts).toEqual(ended(3, 0, 1, 2));
    await rm(join(folder, 'in', 'deep', 'c.clean.jpg'));
    const { counts, printed } = await run('clean @/in --no-faces -s --json');
    expect(counts).toEqual(ended(3, 1, 1, 1));
    expect(printed.map((line) => JSON.parse(String(line)).skipped).sort()).toEqual([
      true,
      undefined,
      undefined,
    ]);
    expect((await run('clean @/in --no-faces -o @/in/clean')).counts.total).toBe(5);
    expect((await run('clean @/in --no-faces -o @/in/clean -s')).counts).toMatchObject({ total: 5, done: 0 });
  });

  it('gives one name to one file only, the first', async () => {
    await writeFile(join(folder, 'in', 'a.png'), await sampleFile('png', drawPeople(50, 30)));
    const { counts, complaints } = await run('clean @/in/a.jpg @/in/a.png -o @/out --no-faces --force');
    expect(counts).toEqual(ended(2, 1, 1));
    expect(complaints[0]).toContain('in/a.png: ');
    expect(scan(await readFile(join(folder, 'out', 'a.jpg')))).toMatchObject({ width: 60 });
  });

  it('reads the standard input and writes the standard output', async () => {
    const input = new Uint8Array(await readFile(join(folder, 'in', 'a.jpg')));
    const { counts, printed } = await run('clean - --no-faces --max-width 30', { input });
    expect(counts.done).toBe(1);
    expect(scan(printed[0] as Uint8Array)).toMatchObject({ format: 'jpeg', width: 30 });
  });

  it('tells how far one large file is', async () => {
    await writeFile(join(folder, 'large.jpg'), await sampleFile('jpeg', drawPeople(1600, 1200)));
    const { counts, shares: told } = await run('clean @/large.jpg --no-faces --format webp');
    expect(counts).toEqual(ended(1, 1));
    // Once it is done nothing is under way.
    const shares = told.slice(0, -1);
    expect([shares.at(0), shares.at(-1), told.at(-1)]).toEqual([0, 1, 0]);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.filter((share) => share > 0.2 && share < 0.8).length).toBeGreaterThan(1);
    const searched = (await run('detect @/large.jpg')).shares;
    expect(Math.max(...searched)).toBe(1);
    expect(new Set(searched).size).toBeGreaterThan(3);
  });

  it('writes nothing more once interrupted', async () => {
    const before = await run('clean @/in -o @/out --no-faces', { signal: AbortSignal.abort() });
    expect(before.counts.done).toBe(0);
    const controller = new AbortController();
    const once: typeof sanitize = async (...call) => {
      const result = await sanitize(...call);
      controller.abort();
      return result;
    };
    const { counts } = await run('clean @/in -o @/out --no-faces', {
      signal: controller.signal,
      sanitizer: { sanitize: once, inspect, detect },
    });
    // The corrupt one may be refused before that.
    expect(counts).toMatchObject({ total: 3, done: 0 });
    expect(await readdir(folder)).toEqual(['in']);
  });

  it('refuses a file that is too large before reading it', async () => {
    await truncate(join(folder, 'in', 'a.jpg'), 1_000_001);
    const { printed } = await run('clean @/in/a.jpg --json');
    expect(JSON.parse(String(printed[0]))).toMatchObject({ error: { code: 'payload_too_large' } });
  });

  it('is not stopped by what it cannot read, and stopped by a full disk', async () => {
    await symlink(join(folder, 'nowhere'), join(folder, 'in', 'aa.jpg'));
    const { counts, complaints } = await run('clean @/in -o @/out --no-faces');
    expect(counts).toEqual(ended(4, 2, 2));
    expect(complaints.toSorted()[0]).toMatch(/aa\.jpg: no such file or directory$/);
    const full: typeof sanitize = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const stopped = await run('clean @/in -o @/more --no-faces', {
      sanitizer: { sanitize: full, inspect, detect },
    });
    expect(stopped.counts.refused).toBeLessThan(4);
    expect(stopped.counts).toMatchObject({ total: 4, done: 0 });
  });
});

/** What is in the folder of outputs. */
const written = async () => (await readdir(join(folder, 'out'), { recursive: true })).sort();
/** What a written file says of itself. */
const factsOf = async (...path: string[]) => scan(await readFile(join(folder, ...path)));

describe('the format of outputs', () => {
  it('is the one that -o ends in', async () => {
    expect((await run('clean @/in/a.jpg --no-faces -o @/out.png')).counts).toEqual(ended(1, 1));
    expect(await factsOf('out.png')).toMatchObject({ format: 'png' });
    await run('clean @/in/a.jpg --no-faces -o @/out/{name}.webp');
    expect(await factsOf('out', 'a.webp')).toMatchObject({ format: 'webp' });
    await run('clean @/in/a.jpg --no-faces -o @/x.{ext}');
    expect(await factsOf('x.jpg')).toMatchObject({ format: 'jpeg' });
  });

  it.each([
    'clean @/in/a.jpg -o @/out.png --format webp',
    'clean @/in/a.jpg -o @/out.heic',
    'clean @/in/a.jpg @/in/deep/c.png -o @/out.jpg',
    'clean @/in -o -',
  ])('and the call is refused before anything is done: %s', async (line) => {
    const sanitizer = { sanitize: () => expect.unreachable(), inspect, detect };
    await expect(run(line, { sanitizer })).rejects.toBeInstanceOf(CallError);
    expect(await readdir(folder)).toEqual(['in']);
  });

  it('is that of the source where it is to be kept, or the nearest that is written', async () => {
    for (const format of ['webp', 'tiff', 'gif'] as const) {
      // Whatever their names say.
      await writeFile(join(folder, 'in', `${format}.jpg`), await sampleFile(format, drawPeople(40, 30)));
    }
    const { complaints } = await run('clean @/in --no-faces --format same -o @/out');
    expect(complaints).toEqual([expect.stringContaining('b.jpeg')]);
    const files = ['a.jpg', 'deep', join('deep', 'c.png'), 'gif.png', 'tiff.png', 'webp.webp'];
    expect(await written()).toEqual(files);
    expect(await factsOf('out', 'tiff.png')).toMatchObject({ format: 'png', width: 40 });
    const input = new Uint8Array(await readFile(join(folder, 'in', 'deep', 'c.png')));
    const { printed } = await run('clean - --no-faces --format same', { input });
    expect(scan(printed[0] as Uint8Array)).toMatchObject({ format: 'png' });
  });
});

describe('the size of outputs', () => {
  it.each([
    ['--max-edge 30', { width: 30, height: 20 }],
    ['--max-height 20', { width: 30, height: 20 }],
    ['--crop 0,0,20,40 --max-edge 32', { width: 16, height: 32 }],
    ['--max-edge 32 --max-width 24', { width: 24, height: 16 }],
    ['--max-edge 60', { width: 60, height: 40 }],
  ])('keeps to %s', async (caps, size) => {
    expect((await run(`clean @/in/a.jpg --no-faces -o @/x.jpg ${caps}`)).counts).toEqual(ended(1, 1));
    expect(await factsOf('x.jpg')).toMatchObject(size);
  });

  it('refuses a photo that would get too narrow', async () => {
    const { counts, complaints } = await run('clean @/in/a.jpg --no-faces --crop 0,0,17,40 --max-edge 20');
    expect([counts, complaints[0]]).toEqual([ended(1, 0, 1), expect.stringContaining('pixels wide')]);
  });
});

describe('a dry run', () => {
  it('says what would be done, and writes nothing', async () => {
    const wet = await run('clean @/in --no-faces -o @/out');
    await rename(join(folder, 'out'), join(folder, 'other'));
    const dry = await run('clean @/in --no-faces -o @/out --dry-run');
    expect([dry.counts, dry.complaints.length]).toEqual([wet.counts, wet.complaints.length]);
    expect(dry.printed.map((line) => String(line).replaceAll(folder, '')).sort()).toEqual([
      '/in/a.jpg → /out/a.jpg\n',
      '/in/deep/c.png → /out/deep/c.jpg\n',
    ]);
    expect((await readdir(folder)).sort()).toEqual(['in', 'other']);
  });

  it('skips and refuses as the run would', async () => {
    const skipped = await run('clean @/in -o @/in/ --format png -n --skip-existing --json');
    expect(skipped.counts).toEqual(ended(3, 1, 1, 1));
    const lines = skipped.printed.map((line) => JSON.parse(String(line)));
    expect(lines.find(({ dryRun }) => dryRun).output).toBe(join(folder, 'in', 'a.png'));
    await run('clean @/in/a.jpg --no-faces');
    expect((await run('clean @/in/a.jpg -n')).counts).toEqual(ended(1, 0, 1));
    expect((await run('clean @/in/a.jpg -n -s')).printed[0]).toMatch(/: skipped, as .* is there\n$/);
    expect((await run('clean @/in/a.jpg -n -f')).counts).toEqual(ended(1, 1));
    expect((await run('clean @/in/notes.txt -n')).counts).toEqual(ended(1, 0, 1));
    // More pixels than sanitize takes, by its header.
    const large = await sampleFile('gif', drawPeople(40, 30));
    new DataView(large.buffer).setUint32(6, 10_000 | (5_001 << 16), true);
    await writeFile(join(folder, 'large.gif'), large);
    for (const line of ['clean @/large.gif -n', 'clean @/large.gif']) {
      const { counts, complaints } = await run(line);
      expect([counts, complaints[0]]).toEqual([ended(1, 0, 1), expect.stringContaining('50 megapixels')]);
    }
  });
});

describe('names of outputs', () => {
  it('tell nothing of the source where they are neutral, and a run goes on by them', async () => {
    await run('clean @/in --no-faces --names neutral -o @/out');
    expect(await written()).toEqual(['photo-1.jpg', 'photo-3.jpg']);
    await rm(join(folder, 'out', 'photo-1.jpg'));
    const { counts } = await run('clean @/in --no-faces --names neutral -o @/out --skip-existing');
    expect(counts).toEqual(ended(3, 1, 1, 1));
    await run('clean @/in/a.jpg --no-faces --names neutral');
    expect(await readdir(join(folder, 'in'))).toContain('photo-1.clean.jpg');
  });

  it('that only some file systems tell apart are not given twice', async () => {
    const photo = await readFile(join(folder, 'in', 'a.jpg'));
    await mkdir(join(folder, 'two'));
    for (const name of ['é.jpg', 'E\u0301.png']) await writeFile(join(folder, 'two', name), photo);
    const { counts, complaints } = await run('clean @/two --no-faces -o @/out');
    expect([counts, complaints[0]]).toEqual([ended(2, 1, 1), expect.stringContaining("another file's")]);
    expect((await run('clean @/two --no-faces -o @/out --names neutral')).counts).toEqual(ended(2, 2));
  });

  it('never put an output in the place of a file that is yet to be read', async () => {
    const photo = await readFile(join(folder, 'in', 'a.jpg'));
    await writeFile(join(folder, 'in', 'a-web.jpg'), photo);
    const { counts, complaints } = await run(
      'clean @/in/a.jpg @/in/a-web.jpg --no-faces --force -o @/in/{name}-web.jpg',
    );
    expect([counts, complaints[0]]).toEqual([ended(2, 1, 1), expect.stringContaining('is itself a file')]);
    expect((await readFile(join(folder, 'in', 'a-web.jpg'))).equals(photo)).toBe(true);
  });

  it('are cut where the end that is put to them makes them too long', async () => {
    const name = `${'x'.repeat(250)}.jpg`;
    await rename(join(folder, 'in', 'a.jpg'), join(folder, 'in', name));
    expect((await run(`clean @/in/${name} --no-faces`)).counts).toEqual(ended(1, 1));
    expect(await readdir(join(folder, 'in'))).toContain(`${'x'.repeat(245)}.clean.jpg`);
  });
});

it('lets nobody read an output who may not read its source', async () => {
  await chmod(join(folder, 'in', 'a.jpg'), 0o600);
  await run('clean @/in/a.jpg --no-faces');
  expect((await stat(join(folder, 'in', 'a.clean.jpg'))).mode & 0o777).toBe(0o600);
});

it('tells what it passes over in a folder, and leaves out what is excluded', async () => {
  await writeFile(join(folder, 'in', 'IMG_1.HEIC'), 'heic');
  const { counts, skipped } = await run('clean @/in --no-faces -o @/out --exclude deep --exclude b.*');
  expect([counts, skipped.sort()]).toEqual([ended(1, 1), ['excluded', 'excluded', 'heic', 'other']]);
  await writeFile(join(folder, 'in', 'renamed.jpg'), '\0\0\0\x14ftypheic\0\0\0\0heic');
  for (const name of ['IMG_1.HEIC', 'renamed.jpg']) {
    const { complaints } = await run(`clean @/in/${name} -o @/out/`);
    expect(complaints[0]).toContain('heif-convert');
  }
  expect((await run('clean @/in/notes.txt')).complaints[0]).not.toContain('heif-convert');
});

describe('lines and texts', () => {
  it('has a line on every photo that is cleaned', async () => {
    const { notes } = await run('clean @/in -o @/out');
    expect(notes.map((line) => line.replaceAll(folder, '')).sort()).toEqual([
      expect.stringMatching(/^\/in\/a\.jpg → \/out\/a\.jpg, 60 × 40: 0 faces hidden; no faces found/),
      expect.stringMatching(/^\/in\/deep\/c\.png → \/out\/deep\/c\.jpg, 50 × 30: 0 faces hidden;/),
    ]);
  });

  it('says in text what is asked for of detect and inspect', async () => {
    const { printed } = await run('detect @/in/a.jpg --below-confidence');
    expect(printed[0]).toMatch(/a\.jpg: 0 faces; \d spots? below the confidence asked for/);
    expect((await run('inspect @/in/a.jpg --thumbnails')).printed[0]).toContain('embeds no thumbnail');
  });

  it('has a line of JSON for every file', async () => {
    const { printed } = await run('inspect @/in --json');
    const lines = printed.map((line) => JSON.parse(String(line)));
    expect(lines.map(({ file }) => file.slice(folder.length)).sort()).toEqual([
      join('/in', 'a.jpg'),
      join('/in', 'b.jpeg'),
      join('/in', 'deep', 'c.png'),
    ]);
    expect(lines.find(({ file }) => file.endsWith('c.png'))).toMatchObject({ result: { width: 50 } });
    const { printed: refused } = await run('clean @/in/notes.txt --json');
    expect(JSON.parse(String(refused[0]))).toMatchObject({ error: { code: 'unprocessable_image' } });
  });

  it('lets no name of a file forge a line, nor its texts a command to the terminal', async () => {
    const jpeg = await readFile(join(folder, 'in', 'a.jpg'));
    const comment = Buffer.from('\u009B2J \u202Egpj', 'utf8');
    const segment = Buffer.concat([Uint8Array.of(0xff, 0xfe, 0, comment.length + 2), comment]);
    const named = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
    await mkdir(join(folder, 'odd'));
    await writeFile(join(folder, 'odd', 'a\nb\u202E.jpg'), named);
    await writeFile(join(folder, 'odd', 'c\n\u009Bd.jpg'), 'none');
    for (const line of ['inspect @/odd --json', 'inspect @/odd', 'detect @/odd', 'clean @/odd --json']) {
      const { printed } = await run(line);
      expect(printed.join('')).toMatch(/a\\u000ab\\u202e\.jpg|a\\nb\\u202e\.jpg/);
      expect(printed.join('')).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
      expect(printed.join('').split('\n').length).toBeLessThan(6);
    }
  });

  it('prints for people without', async () => {
    const { printed } = await run('inspect @/in/deep');
    expect(printed.join('')).toContain('c.png: PNG, 50 × 30 pixels');
  });

  it('counts an input that is not there, and goes on', async () => {
    const { counts, complaints } = await run('inspect @/none @/in/a.jpg');
    expect(counts).toEqual(ended(2, 1, 1));
    expect(complaints[0]).toContain('none: no such file or directory');
  });
});
