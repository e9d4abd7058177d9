import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageInput } from '../../src/library/image_input.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';

/** A call of the library that takes an image. */
export type ImageCall = (
  image: ImageInput,
  options: { readonly signal?: AbortSignal; readonly memoryBudget?: number },
) => Promise<unknown>;

/** A web stream of pieces; it stays open where `ends` is false. */
function webStream(pieces: readonly Uint8Array[], ends = true) {
  const state = { cancelled: undefined as unknown };
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (ends) controller.close();
    },
    cancel(reason) {
      state.cancelled = reason;
    },
  });
  return { stream, state };
}

/** A JPEG of an even length, which views of two bytes can hold. */
async function evenFile(): Promise<Uint8Array<ArrayBuffer>> {
  for (let width = 300; ; width++) {
    const file = await sampleFile('jpeg', drawPeople(width, 200));
    if (file.length % 2 === 0) return file;
  }
}

/** Every form of one file; other bytes lie around it where a form is a part of a buffer. */
function formsOf(file: Uint8Array<ArrayBuffer>) {
  const around = new Uint8Array(file.length + 32).fill(255);
  around.set(file, 16);
  const shared = new Uint8Array(new SharedArrayBuffer(file.length));
  shared.set(file);
  const halves = () => [file.subarray(0, 100), file.subarray(100)];
  return {
    'a Uint8Array': () => file,
    'an ArrayBuffer': () => file.buffer,
    'a Buffer inside a pool': () => Buffer.from(around.buffer, 16, file.length),
    'a Uint8ClampedArray': () => new Uint8ClampedArray(file),
    'a Uint16Array inside a larger buffer': () => new Uint16Array(around.buffer, 16, file.length / 2),
    'a DataView inside a larger buffer': () => new DataView(around.buffer, 16, file.length),
    'a SharedArrayBuffer': () => shared.buffer,
    'a view of a SharedArrayBuffer': () => shared,
    'a Blob': () => new Blob([file]),
    'a File': () => new File([file], 'photo.jpg'),
    'a web stream': () => webStream(halves()).stream,
    'a web stream of one chunk': () => webStream([file]).stream,
    'a stream of Node': () => Readable.from(halves()),
    'a stream of a Blob': () => new Blob([file]).stream(),
    'chunks by an async generator': () =>
      (async function* () {
        for (const half of halves()) yield new DataView(half.buffer, half.byteOffset, half.byteLength);
      })(),
  } satisfies Record<string, () => ImageInput>;
}

/** That a call takes an image in every form with the same result, and ends what it does not read. */
export function describeImageInputs(name: string, call: ImageCall): void {
  describe(`${name}: the forms of an image`, () => {
    let bytes: Uint8Array<ArrayBuffer>;
    let expected: unknown;
    let folder: string;
    beforeAll(async () => {
      bytes = await evenFile();
      expected = await call(bytes.slice(), {});
      folder = await mkdtemp(join(tmpdir(), 'inputs-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it('are all read to the same result, and none of memory is taken away', async () => {
      for (const [form, image] of Object.entries(formsOf(bytes))) {
        const given = image();
        expect([form, await call(given, {})]).toEqual([form, expected]);
        if ('byteLength' in given) expect([form, given.byteLength]).toEqual([form, bytes.length]);
      }
    });

    it('may be the path or the file: URL of a local file, its name in any script', async () => {
      const path = join(folder, 'Übung 100% #1.jpg');
      await writeFile(path, bytes);
      expect(await call(path, {})).toEqual(expected);
      expect(await call(pathToFileURL(path), {})).toEqual(expected);
      await expect(call(folder, {})).rejects.toThrow('but received that of a folder');
      await expect(call(pathToFileURL(join(folder, 'absent.jpg')), {})).rejects.toMatchObject({
        code: 'ENOENT',
      });
      await expect(call(pathToFileURL(folder), {})).rejects.toThrow('but received that of a folder');
      await expect(call(pathToFileURL(path), { memoryBudget: bytes.length - 1 })).rejects.toMatchObject({
        code: 'payload_too_large',
      });
    });

    it.each([
      ['http URLs', new URL('https://example.org/a.jpg'), 'remote images are never fetched'],
      ['files of other hosts', new URL('file://example.org/a.jpg'), 'names a host'],
      ['data: URLs', new URL('data:image/png;base64,AAAA'), 'a URL of data:'],
      ['base64', 'iVBORw0KGgo'.repeat(400), 'base64 has to be decoded'],
      ['empty strings', '', 'another string'],
      ['data addresses', 'data:image/png;base64,AAAA', 'a data: URL has to be decoded'],
      ['addresses', 'https://example.org/a.jpg', 'remote images are never fetched'],
      ['promises', Promise.resolve(new Uint8Array()), 'a Promise, which has to be awaited'],
      ['nothing', undefined, 'but received nothing'],
      ['null', null, 'but received nothing'],
      ['numbers', 7, 'a number'],
      ['arrays', [255, 216], 'an array'],
      ['members named as in a request', { path: '/etc/passwd', url: 'file:///etc/passwd' }, 'an object'],
      ['responses', new Response('x'), 'an object (Response)'],
    ])('are no %s', async (_, image, words) => {
      const refused = call(image as never, {});
      await expect(refused).rejects.toThrow(TypeError);
      await expect(refused).rejects.toThrow(words);
    });

    it('are no stream of texts, and no buffer that was given away', async () => {
      const texts = Readable.from(['a', 'b']);
      await expect(call(texts, {})).rejects.toThrow('a chunk that is a string');
      expect(texts.destroyed).toBe(true);
      const { buffer } = bytes.slice();
      const view = new Uint8Array(buffer);
      structuredClone(buffer, { transfer: [buffer] });
      for (const image of [buffer, view]) await expect(call(image, {})).rejects.toThrow('was transferred');
    });

    it('are refused beyond the budget, and their streams ended, while they are read', async () => {
      const options = { memoryBudget: 4096 };
      const tooLarge = { code: 'payload_too_large' };
      const piece = new Uint8Array(1000);
      const { stream, state } = webStream(Array(5).fill(piece), false);
      await expect(call(stream, options)).rejects.toMatchObject(tooLarge);
      expect(state.cancelled).toMatchObject(tooLarge);
      const node = new Readable({ read: () => void node.push(piece) });
      await expect(call(node, options)).rejects.toMatchObject(tooLarge);
      expect(node.destroyed).toBe(true);
      let ended = false;
      const endless = (async function* () {
        try {
          for (;;) yield piece;
        } finally {
          ended = true;
        }
      })();
      await expect(call(endless, options)).rejects.toMatchObject(tooLarge);
      expect(ended).toBe(true);
      for (const image of [new Uint8Array(4097), new Blob([new Uint8Array(4097)])]) {
        await expect(call(image, options)).rejects.toThrow('at most 4096 bytes');
        await expect(call(image, options)).rejects.toThrow('but received 4097');
      }
    });

    it('are ended by a signal while they are silent, or before', async () => {
      for (const isEarly of [true, false]) {
        const reason = new Error('enough');
        const { stream, state } = webStream([bytes.subarray(0, 9)], false);
        const node = new PassThrough();
        node.write(bytes.subarray(0, 9));
        const controller = new AbortController();
        if (isEarly) controller.abort(reason);
        const calls = [stream, node].map((image) => call(image, { signal: controller.signal }));
        const settled = Promise.allSettled(calls);
        if (!isEarly) setTimeout(() => controller.abort(reason), 5);
        expect(await settled).toEqual(calls.map(() => ({ status: 'rejected', reason })));
        expect(state.cancelled).toBe(reason);
        expect(node.destroyed).toBe(true);
      }
    });

    it('reject with what their stream fails with', async () => {
      const failure = new Error('disk');
      const node = new Readable({ read: () => void node.destroy(failure) });
      await expect(call(node, {})).rejects.toBe(failure);
      const web = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.error(failure),
      });
      await expect(call(web, {})).rejects.toBe(failure);
    });
  });
}
