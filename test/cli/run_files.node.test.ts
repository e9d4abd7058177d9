import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Invocation, readArguments } from '../../src/cli/options.ts';
import { runFiles } from '../../src/cli/run_files.ts';
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

/** Runs a line, `@` standing for the folder. */
async function run(line: string, input = new Uint8Array(0), signal = new AbortController().signal) {
  const args = line.replaceAll('@', folder).split(' ');
  const printed: (string | Uint8Array)[] = [];
  const complaints: string[] = [];
  const counts = await runFiles(readArguments(args) as Invocation, {
    sanitizer: { sanitize, inspect, detect },
    jobs: 2,
    readInput: async () => input,
    print: (text) => printed.push(text),
    complain: (text) => complaints.push(text),
    signal,
  });
  return { counts, printed, complaints };
}

describe('clean', () => {
  it('cleans a folder into another, and tells of what it refuses', async () => {
    const { counts, complaints, printed } = await run('clean @/in -o @/out --no-faces');
    expect(counts).toEqual({ done: 2, refused: 1 });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain('b.jpeg: ');
    expect(printed).toEqual([]);
    const written = await readdir(join(folder, 'out'), { recursive: true });
    expect(written.sort()).toEqual(['a.jpg', 'deep', join('deep', 'c.jpg')]);
    expect(scan(await readFile(join(folder, 'out', 'a.jpg')))).toMatchObject({ width: 60, blocks: [] });
  });

  it('writes beside the source where no output is named, and replaces nothing', async () => {
    expect((await run('clean @/in/a.jpg --no-faces --format webp')).counts).toEqual({ done: 1, refused: 0 });
    const again = await run('clean @/in/a.jpg --no-faces --format webp');
    expect(again.counts).toEqual({ done: 0, refused: 1 });
    expect(again.complaints[0]).toContain('--force');
    expect((await run('clean @/in/a.jpg --no-faces --format webp -f')).counts.done).toBe(1);
    expect(await readdir(join(folder, 'in'))).toContain('a.clean.webp');
  });

  it('gives one name to one file only', async () => {
    await writeFile(join(folder, 'in', 'a.png'), await sampleFile('png', drawPeople(50, 30)));
    const { counts } = await run('clean @/in/a.jpg @/in/a.png -o @/out --no-faces --force');
    expect(counts).toEqual({ done: 1, refused: 1 });
  });

  it('reads the standard input and writes the standard output', async () => {
    const image = new Uint8Array(await readFile(join(folder, 'in', 'a.jpg')));
    const { counts, printed } = await run('clean - --no-faces --max-width 30', image);
    expect(counts.done).toBe(1);
    expect(scan(printed[0] as Uint8Array)).toMatchObject({ format: 'jpeg', width: 30 });
  });

  it('writes nothing more once interrupted', async () => {
    const { counts } = await run('clean @/in -o @/out --no-faces', undefined, AbortSignal.abort());
    expect(counts).toEqual({ done: 0, refused: 0 });
    expect(await readdir(folder)).toEqual(['in']);
  });
});

describe('lines and texts', () => {
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

  it('prints for people without', async () => {
    const { printed } = await run('inspect @/in/deep');
    expect(printed.join('')).toContain('c.png: PNG, 50 × 30 pixels');
  });

  it('counts an input that is not there, and goes on', async () => {
    const { counts, complaints } = await run('inspect @/none @/in/a.jpg');
    expect(counts).toEqual({ done: 1, refused: 1 });
    expect(complaints[0]).toContain('none: ENOENT');
  });
});
