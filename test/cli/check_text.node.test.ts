import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import { blockLines } from '../../src/cli/check_text.ts';
import { runFiles } from '../../src/cli/run_files.ts';
import { detect, inspect, sanitize } from '../../src/library/index.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-'));
  await mkdir(join(folder, 'in', 'drafts'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A JPEG with a comment of so many bytes behind its first marker. */
async function commented(length: number): Promise<Buffer> {
  const jpeg = await sampleFile('jpeg', drawPeople(60, 40));
  const segment = Buffer.alloc(length + 4, 'x');
  segment.set([0xff, 0xfe, (length + 2) >> 8, (length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}

/** Runs a line, `@` standing for the folder. */
async function run(line: string) {
  const asked = readArguments(line.replaceAll('@', folder).split(' '), '');
  if (!('files' in asked)) throw new Error(JSON.stringify(asked));
  const printed: string[] = [];
  const complaints: string[] = [];
  const counts = await runFiles(asked.files, {
    sanitizer: { sanitize, inspect, detect },
    jobs: 2,
    maxBytes: 1_000_000,
    standardInput: () => new Blob([]).stream(),
    print: async (text) => void printed.push(String(text)),
    warn: (text) => complaints.push(text),
    signal: new AbortController().signal,
    version: '1.2.3',
  });
  return { counts, printed: printed.join(''), complaints };
}

it('names file, block and place of all that a picture carries', async () => {
  await writeFile(join(folder, 'in', 'a.jpg'), await commented(100));
  const { counts, printed } = await run('check @/in');
  expect(printed).toBe(`${join(folder, 'in', 'a.jpg')}: comment at bytes 2 to 105\n`);
  expect(counts).toEqual({ total: 1, done: 1, refused: 0, skipped: 0, carrying: 1 });
});

it('finds nothing in what clean has written', async () => {
  await writeFile(join(folder, 'in', 'a.jpg'), await commented(100));
  await run('clean @/in -o @/out/ --no-faces');
  const { counts, printed } = await run('check @/out');
  expect(printed).toBe('');
  expect(counts).toEqual({ total: 1, done: 1, refused: 0, skipped: 0 });
});

it('leaves out what is excluded, as clean does', async () => {
  await writeFile(join(folder, 'in', 'drafts', 'a.jpg'), await commented(100));
  expect((await run('check @/in --exclude drafts')).counts.total).toBe(0);
  expect((await run('check @/in')).counts.carrying).toBe(1);
});

it('refuses a file that is cut off: what it carried can’t be told', async () => {
  const whole = await sampleFile('jpeg', drawPeople(60, 40));
  await writeFile(join(folder, 'in', 'a.jpg'), whole.subarray(0, 300));
  const { counts, complaints } = await run('check @/in');
  expect(counts).toMatchObject({ done: 0, refused: 1 });
  expect(complaints[0]).toContain('truncated or corrupt');
});

it('prints lines of JSON, or one document of SARIF with all findings', async () => {
  await writeFile(join(folder, 'in', 'a.jpg'), await commented(100));
  await writeFile(join(folder, 'in', 'b.png'), await sampleFile('png', drawPeople(50, 30)));
  await writeFile(join(folder, 'in', 'c.jpg'), 'none');
  const lines = (await run('check @/in --format json')).printed.trim().split('\n');
  const told = lines.map((line) => JSON.parse(line)).toSorted((a, b) => (a.file < b.file ? -1 : 1));
  expect(told).toMatchObject([
    { blocks: [{ name: 'comment', start: 2, bytes: 104 }] },
    { blocks: [] },
    { error: { code: 'unprocessable_image' } },
  ]);
  const [{ results, invocations, tool }] = JSON.parse((await run('check @/in --format sarif')).printed).runs;
  expect(results).toHaveLength(1);
  expect(invocations[0]).toMatchObject({ executionSuccessful: false });
  expect(tool.driver.version).toBe('1.2.3');
});

it('has a form of its own alone', async () => {
  expect(readArguments(['check', 'a', '--json'], '')).toMatchObject({ exitCode: 2 });
  expect(readArguments(['check', 'a', '--format', 'webp'], '')).toMatchObject({ exitCode: 2 });
});

it('lets no name forge a line', () => {
  expect(blockLines('a\nb', [{ name: 'exif', start: 7, bytes: 1 }])).toBe('a\\u000ab: exif at byte 7\n');
});
