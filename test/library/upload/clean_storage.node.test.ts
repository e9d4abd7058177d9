import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { SanitizedImage } from '../../../src/library/options.ts';
import { type CleanFile, cleanStorage } from '../../../src/library/upload/clean_storage.ts';
import type { UploadOptions } from '../../../src/library/upload/clean_upload.ts';
import { drawPeople } from '../../fixtures/drawn_face.ts';
import { sampleFile } from '../../fixtures/samples.ts';

const options: UploadOptions = { ops: { pixelate: { faces: false } } };

/** Hands a stream to the engine, as multer does. */
function handled(stream: Readable, given = options) {
  const socket = new EventEmitter();
  const result = new Promise<Partial<CleanFile> | undefined>((resolve, reject) => {
    cleanStorage(given)._handleFile({ socket }, { stream }, (error, info) =>
      error ? reject(error) : resolve(info),
    );
  });
  return { socket, result };
}

test('a file is clean and in memory', async () => {
  const photo = await sampleFile('jpeg', drawPeople(40, 30));
  const { socket, result } = handled(Readable.from([photo.subarray(0, 100), photo.subarray(100)]));
  const { buffer, size, mimetype, extension, report } = (await result)!;
  expect([Buffer.isBuffer(buffer), size, mimetype, extension]).toEqual([
    true,
    buffer!.length,
    'image/jpeg',
    'jpg',
  ]);
  expect(report).toHaveProperty('regionsPixelated');
  expect(socket.listenerCount('close')).toBe(0);
});

test('of a clean file that lies among other bytes, only its own are handed on', async () => {
  const bytes = Uint8Array.of(1, 2, 3, 4, 5).subarray(1, 3);
  const sanitize = async () => ({ bytes, mediaType: 'image/png', extension: 'png' }) as SanitizedImage;
  const { result } = handled(Readable.from([Uint8Array.of(0)]), { sanitize });
  const { buffer, size } = (await result)!;
  expect([[...buffer!], size]).toEqual([[2, 3], 2]);
});

test('a file that is too large is refused, and its stream ended', async () => {
  const stream = Readable.from(Array.from({ length: 9 }, () => new Uint8Array(50)));
  await expect(handled(stream, { maxBytes: 99 }).result).rejects.toMatchObject({ status: 413 });
  expect(stream.destroyed).toBe(true);
});

test('what is no image is refused', async () => {
  await expect(handled(Readable.from([Buffer.from('text')])).result).rejects.toMatchObject({ status: 422 });
});

test('a client that goes ends the call', async () => {
  const { socket, result } = handled(new Readable({ read() {} }));
  socket.emit('close');
  await expect(result).rejects.toMatchObject({ name: 'AbortError' });
});

test('a file that is taken back leaves nothing', () => {
  const file = { buffer: new Uint8Array(3) };
  let ended: unknown;
  cleanStorage()._removeFile({ socket: new EventEmitter() }, file, (error) => {
    ended = error;
  });
  expect([file, ended]).toEqual([{}, null]);
});
