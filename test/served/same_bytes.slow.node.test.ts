import { createHash } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { jobBytes } from '../../src/api/job_bytes.ts';
import { ImageError, sanitize } from '../../src/library/index.ts';
import { corpusBytes, corpusManifest } from '../fixtures/corpus.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';

const { address, key } = inject('sharedWorker');

/** Of the corpus, every so manieth file. */
const STRIDE = 8;

const outputs = [{}, { output: { format: 'png' } }, { grayscale: true, output: { format: 'webp' } }] as const;

/** What the jobs of an isolate may hold, so that the library refuses for want of memory what it does. */
const memoryBudget = jobBytes(undefined);

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The hash of the Worker's answer; its error's code where there is none. */
async function byWorker(image: Uint8Array<ArrayBuffer>, ops: object): Promise<string> {
  const answer = await fetch(`${address}/v1/sanitize?ops=${encodeURIComponent(JSON.stringify(ops))}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/*', Authorization: `Bearer ${key}` },
    body: image,
  });
  if (answer.status !== 200) return ((await answer.json()) as { error: string }).error;
  return hashOf(new Uint8Array(await answer.arrayBuffer()));
}

/** The same of the library. */
async function byLibrary(image: Uint8Array<ArrayBuffer>, ops: object): Promise<string> {
  try {
    return hashOf((await sanitize(image, ops, { memoryBudget })).bytes);
  } catch (error) {
    if (error instanceof ImageError) return error.code;
    throw error;
  }
}

it.each(inputFormats)('the library gives the bytes of the Worker for a %s', async (format) => {
  const picture = drawPeople(640, 480, [{ x: 200, y: 100, w: 160, h: 200 }]);
  const image = await sampleFile(format, picture);
  for (const ops of outputs) {
    const hash = await byLibrary(image, ops);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).toBe(await byWorker(image, ops));
  }
});

const files = corpusManifest().files.filter((_, index) => index % STRIDE === 0);

it.skipIf(files.length === 0)('and for real and broken files, and refuses the same', async () => {
  const ends = { cleaned: 0, refused: 0 };
  for (const [index, file] of files.entries()) {
    const image = corpusBytes(file);
    const ops = outputs[index % outputs.length]!;
    const byService = await byWorker(image, ops);
    // Rules of HTTP alone: the 25 MB of an upload, and that a body must not be empty.
    if (byService === 'payload_too_large' || byService === 'bad_request') continue;
    expect(`${file.file} ${await byLibrary(image, ops)}`).toBe(`${file.file} ${byService}`);
    ends[byService.length === 64 ? 'cleaned' : 'refused']++;
  }
  console.log(`same bytes: ${JSON.stringify(ends)} of ${files.length} files of the corpus`);
  expect(ends.cleaned).toBeGreaterThan(files.length / 4);
  expect(ends.refused).toBeGreaterThan(0);
});
