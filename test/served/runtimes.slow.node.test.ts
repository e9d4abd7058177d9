import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { type InstalledPackage, installPackage, runToEnd, runtimes } from '../fixtures/installed_package.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';

const { address, key } = inject('sharedWorker');

const outputs = ['jpeg', 'png', 'webp'] as const;
const images = inputFormats.map((format) => `photo.${format}`);

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Answers of the Worker. */
async function byWorker(route: 'sanitize' | 'detect', image: Uint8Array<ArrayBuffer>, ops: object) {
  const answer = await fetch(`${address}/v1/${route}?ops=${encodeURIComponent(JSON.stringify(ops))}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/*', Authorization: `Bearer ${key}` },
    body: image,
  });
  expect(answer.status).toBe(200);
  return answer;
}

let installed: InstalledPackage;
let folder: string;
/** Hashes of the Worker's outputs, by image and format. */
const hashes: Record<string, string> = {};
let faces: number;
beforeAll(async () => {
  installed = await installPackage();
  ({ folder } = installed);
  const picture = drawPeople(320, 240, [{ x: 100, y: 50, w: 80, h: 100 }]);
  for (const [at, image] of images.entries()) {
    const file = await sampleFile(inputFormats[at]!, picture);
    await writeFile(join(folder, image), file);
    for (const format of outputs) {
      const answer = await byWorker('sanitize', file, { output: { format } });
      hashes[`${image} ${format}`] = hashOf(new Uint8Array(await answer.arrayBuffer()));
    }
  }
  const detected = await byWorker('detect', new Uint8Array(await readFile(join(folder, images[0]!))), {});
  faces = ((await detected.json()) as { faces: unknown[] }).faces.length;
  await writeFile(join(folder, 'no_image.jpg'), 'no image');
  await writeFile(join(folder, 'cases.json'), JSON.stringify({ images, outputs, address, key }));
  await cp('test/cases/runtime_cases.mjs', join(folder, 'cases.mjs'));
});
afterAll(() => installed?.[Symbol.asyncDispose]());

it('the Worker finds the face that is drawn, and gives 18 different files', () => {
  expect(faces).toBe(1);
  expect(new Set(Object.values(hashes)).size).toBeGreaterThan(outputs.length);
  expect(Object.keys(hashes)).toHaveLength(18);
});

describe.each(runtimes())('the packed tarball in %s', (_, [program, ...before]) => {
  it('gives the bytes of the Worker: library, threads and client, and their errors', async () => {
    const { code, stdout, stderr } = await runToEnd(program!, [...before, 'cases.mjs'], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const photoHash = hashes[`${images[0]} jpeg`];
    const library = {
      faces,
      blocks: 0,
      refused: [
        'ImageError unprocessable_image',
        'ImageError unprocessable_image',
        'ImageError unprocessable_image',
        'ImageError invalid_ops',
      ],
      aborted: ['Error at once', 'Error enough'],
      hash: photoHash,
    };
    expect(JSON.parse(stdout)).toEqual({
      hashes,
      onMain: library,
      onThread: library,
      byClient: {
        width: 320,
        faces,
        hash: photoHash,
        refused: [
          'SanitizerError unprocessable_image 422',
          'SanitizerError network_error 0',
          'Error at once',
        ],
      },
    });
  });

  it('runs the program, which says by its exit code how it went', async () => {
    const { cli } = installed;
    const run = (...args: string[]) => runToEnd(program!, [...before, cli, ...args], folder);
    for (const format of outputs) {
      const cleaned = await run('clean', 'photo.tiff', '-o', 'clean/', '--format', format, '--force');
      expect(cleaned).toMatchObject({ code: 0, stdout: '' });
      const name = `photo.${format === 'jpeg' ? 'jpg' : format}`;
      expect(hashOf(await readFile(join(folder, 'clean', name)))).toBe(hashes[`photo.tiff ${format}`]);
    }
    const refused = await run('clean', 'no_image.jpg', '-o', 'clean/');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('no_image.jpg: ');
    expect(await run('clean', 'photo.jpeg', '--quality', '5')).toMatchObject({ code: 2, stdout: '' });
    const inspected = await run('inspect', 'photo.png', '--json');
    expect(inspected.code).toBe(0);
    expect(JSON.parse(inspected.stdout).result).toMatchObject({ width: 320, height: 240, blocks: [] });
    const detected = await run('detect', 'photo.jpeg', '--json');
    expect(detected.code).toBe(0);
    expect(JSON.parse(detected.stdout).result.faces).toHaveLength(faces);
  });
});
