import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanitize } from '../../src/library/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { greenOverRed } from '../fixtures/green_over_red.ts';
import { type InstalledPackage, installPackage, runtimes } from '../fixtures/installed_package.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { inToolchains, toolchains } from '../fixtures/toolchains.ts';

const require = createRequire(import.meta.url);
const typescript = require('typescript/package.json') as { version: string };

const run = promisify(execFile);

/** Bytes that the tarball may have; nearly half are those of the build in one file. */
const MOST_TARBALL = 5_100_000;
/** Bytes of the script that a page loads for its first picture, without the face model's. */
const MOST_SCRIPT = 460_000;

let installed: InstalledPackage;
let folder: string;
beforeAll(async () => {
  installed = await installPackage();
  ({ folder } = installed);
  const photo = await sampleFile('jpeg', drawPeople(640, 480, [{ x: 200, y: 100, w: 160, h: 200 }]));
  await writeFile(join(folder, 'photo.jpg'), photo);
  await writeFile(join(folder, 'layers.avif'), greenOverRed());
});
afterAll(() => installed?.[Symbol.asyncDispose]());

/** The lines of JavaScript that a document begins with. */
async function firstExample(path: string): Promise<string> {
  return /```js\n(.*?)```/s.exec(await readFile(path, 'utf8'))![1]!;
}

describe('the packed tarball', () => {
  it('needs no other package, and is no larger than it has to be', async () => {
    const { dependencies, private: isPrivate } = JSON.parse(
      await readFile(join(installed.at, 'package.json'), 'utf8'),
    );
    expect([dependencies, isPrivate, installed.packages]).toEqual([undefined, undefined, 1]);
    const folder = join(installed.at, 'dist', 'package');
    const loaded = new Map<string, number>();
    const load = async (name: string): Promise<void> => {
      if (loaded.has(name)) return;
      const text = await readFile(join(folder, name), 'utf8');
      loaded.set(name, text.length);
      for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) await load(other!);
    };
    await load('index.js');
    await load((await readdir(folder)).find((name) => name.startsWith('jobs'))!);
    const script = [...loaded.values()].reduce((sum, bytes) => sum + bytes);
    console.log(
      `tarball ${installed.tarballBytes} bytes, ${installed.packages} package, script ${script} bytes`,
    );
    expect(installed.tarballBytes).toBeLessThan(MOST_TARBALL);
    expect(script).toBeLessThan(MOST_SCRIPT);
  });

  describe.each(runtimes())('in %s', (_, [program, ...before]) => {
    it.each(['README.md', 'docs/library.md'])(
      'the lines of %s clean a photo, to the same bytes',
      async (path) => {
        const lines = await firstExample(path);
        expect(lines.trim().split('\n')).toHaveLength(3);
        await writeFile(join(folder, 'clean.js'), lines);
        await rm(join(folder, 'clean.jpg'), { force: true });
        await run(program!, [...before, 'clean.js'], { cwd: folder });
        const clean = new Uint8Array(await readFile(join(folder, 'clean.jpg')));
        expect(scan(clean)).toMatchObject({ width: 640, height: 480, blocks: [] });
        const photo = await readFile(join(folder, 'photo.jpg'));
        expect(Buffer.from((await sanitize(photo)).bytes).equals(clean)).toBe(true);
      },
    );

    // The program ends by itself: threads at rest do not keep it alive.
    it('cleans on threads of its own, to the same bytes', async () => {
      await writeFile(
        join(folder, 'threads.js'),
        `import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createSanitizer, ImageError } from 'image-sanitizer/worker';
const sanitizer = createSanitizer({ workers: 2 });
const photo = await readFile('photo.jpg');
const results = await Promise.all([1, 2, 3].map(() => sanitizer.sanitize(new Blob([photo]))));
await writeFile('threads.jpg', results[2].bytes);
console.log(new Set(results.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).size);
console.log(await sanitizer.sanitize(new Uint8Array(9)).catch((e) => e instanceof ImageError && e.code));
console.log((await sanitizer.inspect(photo)).width, (await sanitizer.detect(photo)).width);
const own = new Uint8Array(photo);
await sanitizer.inspect(own, {}, { transfer: true });
console.log(own.length, photo.length > 0);
const fail = () => { throw new Error('mine'); };
const failed = sanitizer.sanitize(photo, {}, { onProgress: fail }).catch((e) => e.message);
const others = [new URL('photo.jpg', import.meta.url), createReadStream('photo.jpg')];
const widths = others.map(async (image) => (await sanitizer.inspect(image)).width);
console.log(await failed, ...(await Promise.all(widths)));`,
      );
      const { stdout } = await run(program!, [...before, 'threads.js'], { cwd: folder });
      expect(stdout.split('\n')).toEqual([
        '1',
        'unprocessable_image',
        '640 640',
        '0 true',
        'mine 640 640',
        '',
      ]);
      const clean = await readFile(join(folder, 'threads.jpg'));
      expect(clean.equals((await sanitize(await readFile(join(folder, 'photo.jpg')))).bytes)).toBe(true);
    });
  });

  it.each([
    ['the face model only when faces are wanted', 'face_detector.onnx', 'photo.jpg', '{}'],
    ['libavif only for predicted layers', 'libavif.wasm', 'layers.avif', '{ pixelate: { faces: false } }'],
  ])('loads %s', async (_, name, image, ops) => {
    const path = join(installed.at, 'dist', 'package', name);
    const bytes = await readFile(path);
    const call = (image: string, ops: string) => {
      const program = `import { readFile } from 'node:fs/promises';
import { sanitize } from 'image-sanitizer';
await sanitize(await readFile('${image}'), ${ops});`;
      return run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    };
    await rm(path);
    try {
      await call('photo.jpg', '{ pixelate: { faces: false } }');
      await expect(call(image, ops)).rejects.toThrow(name);
    } finally {
      await writeFile(path, bytes);
    }
    await call(image, ops);
  });

  it('serves on when a thread has ended in the middle of a call', async () => {
    await writeFile(
      join(folder, 'die.cjs'),
      `const { parentPort, threadId } = require('node:worker_threads');
if (threadId === 1) parentPort.once('message', () => process.exit(7));`,
    );
    const program = `import { readFile } from 'node:fs/promises';
import { createSanitizer, ThreadError } from 'image-sanitizer/worker';
const sanitizer = createSanitizer({ workers: 1 });
const photo = await readFile('photo.jpg');
const calls = [1, 2].map(() => sanitizer.inspect(photo));
const [lost, next] = await Promise.allSettled(calls);
console.log(lost.reason instanceof ThreadError, lost.reason.cause.message, next.value.width);`;
    const env = { ...process.env, NODE_OPTIONS: '--require ./die.cjs' };
    const args = ['--input-type=module', '-e', program];
    const { stdout } = await run(process.execPath, args, { cwd: folder, env });
    expect(stdout).toBe('true A worker thread has ended with 7 640\n');
  });

  it('opens no connection, on its threads neither', async () => {
    // Whatever asks the network in Node comes by one of these; threads load it, too.
    await writeFile(
      join(folder, 'watch.cjs'),
      `const { writeSync } = require('node:fs');
const watch = (object, name) => {
  object[name] = () => { writeSync(1, name); throw new Error(name); };
};
watch(require('node:net').Socket.prototype, 'connect');
watch(require('node:dns'), 'lookup');
watch(require('node:dgram'), 'createSocket');
watch(globalThis, 'fetch');
writeSync(1, 'watched ');`,
    );
    const program = `import { readFile } from 'node:fs/promises';
import { sanitize } from 'image-sanitizer';
import { createSanitizer } from 'image-sanitizer/worker';
const photo = await readFile('photo.jpg');
await sanitize(photo);
await createSanitizer({ workers: 1 }).sanitize(photo);
try { fetch('http://localhost/'); } catch {}`;
    const env = { ...process.env, NODE_OPTIONS: '--require ./watch.cjs' };
    const args = ['--input-type=module', '-e', program];
    const { stdout } = await run(process.execPath, args, { cwd: folder, env });
    expect(stdout).toBe('watched watched fetch');
  });

  it('names no file that it lacks, since bundlers look for each', async () => {
    const at = join(installed.at, 'dist', 'package');
    const files = await readdir(at);
    const named: string[] = [];
    for (const name of files.filter((name) => name.endsWith('.js') && name !== 'cli.js')) {
      const text = await readFile(join(at, name), 'utf8');
      for (const [, address] of text.matchAll(/new URL\("([^"]+)",import\.meta\.url\)/g)) {
        named.push(address!.replace('./', ''));
      }
      // Only of a file by its name.
      expect(text.match(/\bimport\((?!")/g)).toBeNull();
    }
    expect(new Set(named).size).toBeGreaterThan(4);
    expect(named.filter((name) => !files.includes(name))).toEqual([]);
  });

  it('awaits nothing at the top of a script, which Vite 5 and 6 refuse to build', async () => {
    const at = join(installed.at, 'dist', 'package');
    const scripts = (await readdir(at)).filter((name) => name.endsWith('.js') && name !== 'cli.js');
    expect(scripts).toContain('index.js');
    for (const name of scripts) {
      // Of what they build for when nothing is said.
      await transform(await readFile(join(at, name), 'utf8'), { target: ['es2020', 'chrome87'] });
    }
  });

  it('makes no code from strings', async () => {
    const program = `globalThis.Function = new Proxy(Function, {
  construct() { console.log('code from a string'); throw new EvalError(); },
});
const { sanitize } = await import('image-sanitizer');
const { readFile } = await import('node:fs/promises');
console.log((await sanitize(await readFile('photo.jpg'))).mediaType);`;
    const args = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', program];
    expect((await run(process.execPath, args, { cwd: folder })).stdout).toBe('image/jpeg\n');
  });

  const compilers = [
    ...toolchains('typescript-').map(({ name, version }) => [version, inToolchains(name)] as const),
    [typescript.version, dirname(require.resolve('typescript/package.json'))] as const,
  ].flatMap(([version, at]) => [
    [version, 'node16', 'node16', at] as const,
    [version, 'bundler', 'esnext', at] as const,
  ]);
  it.each(compilers)('has types for TypeScript %s and %s, strict', async (_, kind, module, at) => {
    await writeFile(
      join(folder, 'types.ts'),
      `import { detect, ImageError, inspect, sanitize } from 'image-sanitizer';
import type { DetectResult, Progress } from 'image-sanitizer';
import { ImageSanitizer } from 'image-sanitizer/client';
import { createSanitizer as inOneFile, inspect as look } from 'image-sanitizer/standalone';
import { createSanitizer } from 'image-sanitizer/worker';
export const wide: number = (await look(new Uint8Array(3))).width;
export const pools = [createSanitizer, inOneFile];
const bytes = new Uint8Array(3);
const options = { onProgress: ({ share }: Progress) => share };
const { report } = await sanitize(bytes, { output: { format: 'webp' } }, options);
export const faces: DetectResult = await detect(bytes, { confidence: 0.5 });
export const has: boolean = (await inspect(new Blob([]))).has_gps;
export const found: number = report.facesDetected;
using pool = createSanitizer({ workers: 2 });
export const cleaned = new Blob([(await pool.sanitize(bytes, {}, { transfer: true })).bytes]);
export { ImageError, ImageSanitizer };
export const ofPath = await sanitize('photo.jpg');
// @ts-expect-error not an image
await sanitize(7);
// @ts-expect-error not an output format
await sanitize(bytes, { output: { format: 'gif' } });
// @ts-expect-error not an op
await inspect(bytes, { blur: true });`,
    );
    const options = `--noEmit --strict --target es2022 --lib es2022,dom --module ${module}`.split(' ');
    const tsc = [join(at, 'bin', 'tsc'), ...options, '--moduleResolution', kind, 'types.ts'];
    const { stdout } = await run(process.execPath, tsc, { cwd: folder });
    expect(stdout).toBe('');
  });

  it('carries the licences of what is bundled', async () => {
    const at = join(installed.at, 'dist', 'package');
    const notices = await readFile(join(at, 'THIRD_PARTY_NOTICES.txt'), 'utf8');
    const bundled = ['zod', 'lcms-wasm', '@jsquash/avif', 'commander', 'picomatch', 'cli-progress'];
    for (const name of bundled) expect(notices).toContain(`\n${name} `);
    expect(await readdir(at)).toContain('core.wasm');
  });
});
