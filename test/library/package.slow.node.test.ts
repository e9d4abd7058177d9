import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanitize } from '../../src/library/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';

const run = promisify(execFile);

/** An empty project into which the packed tarball is unpacked, as npm would; it has no other package. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
  await run(process.execPath, ['scripts/build-package.mjs']);
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', pack);
  const at = join(folder, 'node_modules', 'image-sanitizer');
  await mkdir(at, { recursive: true });
  await run('tar', ['-xzf', join(folder, stdout.trim()), '--strip-components=1', '-C', at]);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packed tarball', () => {
  it('names no package that it would need', async () => {
    const manifest = join(folder, 'node_modules', 'image-sanitizer', 'package.json');
    const { dependencies, private: isPrivate } = JSON.parse(await readFile(manifest, 'utf8'));
    expect([dependencies, isPrivate]).toEqual([undefined, undefined]);
  });

  it('cleans a photo in three lines, to the bytes that the sources give', async () => {
    const photo = await sampleFile('jpeg', drawPeople(640, 480, [{ x: 200, y: 100, w: 160, h: 200 }]));
    await writeFile(join(folder, 'photo.jpg'), photo);
    await writeFile(
      join(folder, 'clean.js'),
      `import { readFile, writeFile } from 'node:fs/promises';
import { sanitize } from 'image-sanitizer';
await writeFile('clean.jpg', (await sanitize(await readFile('photo.jpg'))).bytes);`,
    );
    await run(process.execPath, ['clean.js'], { cwd: folder });
    const clean = new Uint8Array(await readFile(join(folder, 'clean.jpg')));
    expect(scan(clean)).toMatchObject({ width: 640, height: 480, blocks: [] });
    expect(Buffer.from((await sanitize(photo)).bytes).equals(clean)).toBe(true);
  });

  it('loads the face model only when faces are wanted', async () => {
    const at = join(folder, 'node_modules', 'image-sanitizer', 'dist', 'package');
    const model = join(at, 'face_detector.onnx');
    const bytes = await readFile(model);
    await rm(model);
    try {
      const program = (ops: string) => `import { readFile } from 'node:fs/promises';
import { sanitize } from 'image-sanitizer';
await sanitize(await readFile('photo.jpg'), ${ops});`;
      const call = (ops: string) =>
        run(process.execPath, ['--input-type=module', '-e', program(ops)], { cwd: folder });
      await call('{ pixelate: { faces: false } }');
      await expect(call('{}')).rejects.toThrow('face_detector.onnx');
    } finally {
      await writeFile(model, bytes);
    }
  });

  // The program ends by itself: threads at rest do not keep it alive.
  it('cleans on threads of its own, to the same bytes', async () => {
    await writeFile(
      join(folder, 'threads.js'),
      `import { readFile, writeFile } from 'node:fs/promises';
import { createSanitizer, ImageError } from 'image-sanitizer/worker';
const sanitizer = createSanitizer({ workers: 2 });
const photo = await readFile('photo.jpg');
const results = await Promise.all([1, 2, 3].map(() => sanitizer.sanitize(new Blob([photo]))));
await writeFile('threads.jpg', results[2].bytes);
console.log(new Set(results.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).size);
console.log(await sanitizer.sanitize(new Uint8Array(9)).catch((e) => e instanceof ImageError && e.code));
console.log((await sanitizer.inspect(photo)).width, (await sanitizer.detect(photo)).width);`,
    );
    const { stdout } = await run(process.execPath, ['threads.js'], { cwd: folder });
    expect(stdout.split('\n')).toEqual(['1', 'unprocessable_image', '640 640', '']);
    const clean = await readFile(join(folder, 'threads.jpg'));
    expect(clean.equals((await sanitize(await readFile(join(folder, 'photo.jpg')))).bytes)).toBe(true);
  });

  it('brings a program that cleans a folder, and says by its exit code how it went', async () => {
    const program = join(folder, 'node_modules', 'image-sanitizer', 'dist', 'package', 'cli.js');
    const cli = (...args: string[]) =>
      run(process.execPath, [program, ...args], { cwd: folder }).then(
        ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
        ({ code, stdout, stderr }) =>
          ({ code, stdout, stderr }) as { code: number; stdout: string; stderr: string },
      );
    await mkdir(join(folder, 'in'));
    await writeFile(join(folder, 'in', 'whole.jpg'), await readFile(join(folder, 'photo.jpg')));
    expect(await cli('clean', 'in', '-o', 'out', '--jobs', '2')).toEqual({ code: 0, stdout: '', stderr: '' });
    const clean = await readFile(join(folder, 'out', 'whole.jpg'));
    expect(clean.equals(await readFile(join(folder, 'clean.jpg')))).toBe(true);
    await writeFile(join(folder, 'in', 'broken.jpg'), 'no image');
    const some = await cli('clean', 'in', '-o', 'again', '--no-faces');
    expect([some.code, some.stderr.endsWith('1 done, 1 refused\n')]).toEqual([1, true]);
    expect((await cli('clean', 'in', '--quality', '5')).code).toBe(2);
    expect((await cli('--help')).stdout).toContain('Exit codes:');
  });

  it.each([
    ['node16', 'node16'],
    ['bundler', 'esnext'],
  ])('has types for %s, strict', async (kind, module) => {
    await writeFile(
      join(folder, 'types.ts'),
      `import { detect, ImageError, inspect, sanitize } from 'image-sanitizer';
import type { DetectResult, Progress } from 'image-sanitizer';
import { ImageSanitizer } from 'image-sanitizer/client';
import { createSanitizer } from 'image-sanitizer/worker';
const bytes = new Uint8Array(3);
const options = { onProgress: ({ share }: Progress) => share };
const { report } = await sanitize(bytes, { output: { format: 'webp' } }, options);
export const faces: DetectResult = await detect(bytes, { confidence: 0.5 });
export const has: boolean = (await inspect(new Blob([]))).has_gps;
export const found: number = report.facesDetected;
using pool = createSanitizer({ workers: 2 });
export const cleaned: Uint8Array = (await pool.sanitize(bytes)).bytes;
export { ImageError, ImageSanitizer };
// @ts-expect-error not an image
await sanitize('photo.jpg');
// @ts-expect-error not an output format
await sanitize(bytes, { output: { format: 'gif' } });
// @ts-expect-error not an op
await inspect(bytes, { blur: true });`,
    );
    const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const options =
      `--noEmit --strict --target es2022 --lib es2023,dom,esnext.disposable --module ${module}`.split(' ');
    const tsc = [join(typescript, 'bin', 'tsc'), ...options, '--moduleResolution', kind, 'types.ts'];
    const { stdout } = await run(process.execPath, tsc, { cwd: folder });
    expect(stdout).toBe('');
  });

  it('carries the licences of what is bundled', async () => {
    const at = join(folder, 'node_modules', 'image-sanitizer', 'dist', 'package');
    const notices = await readFile(join(at, 'THIRD_PARTY_NOTICES.txt'), 'utf8');
    for (const name of ['zod', 'onnxruntime-web', 'lcms-wasm']) expect(notices).toContain(`\n${name} `);
    expect(await readdir(resolve(at))).toContain('core.wasm');
  });
});
