import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractImage, imageFromBase64, LONG_STRING_BYTES } from '../../../src/api/mcp/extract_image.ts';

const PLACEHOLDER = 'a'.repeat(32);

/** A request whose body arrives in chunks of this many bytes. */
const inChunks = (body: string, size: number) => {
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
  return new Request('https://service.test/', { method: 'POST', body: stream });
};

const read = (body: string, size = 1 << 16) => extractImage(inChunks(body, size), PLACEHOLDER);

const noise = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 197 + (i >> 3)) & 255);

describe('a body without a long string', () => {
  test('is parsed as by JSON.parse, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: 40 }), async (json, size) => {
        expect(await read(json, size)).toEqual({
          value: JSON.parse(json),
          duplicates: [],
          textBytes: new TextEncoder().encode(json).length,
          image: undefined,
          imageError: undefined,
        });
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  test('that is not JSON is a parse error of JSON-RPC', async () => {
    for (const body of ['', '{', '{"a":}', '"open', 'nul', '{"a":1}}'])
      await expect(read(body)).rejects.toMatchObject({ code: -32700, status: 400 });
  });

  test('that is too long is payload_too_large', async () => {
    const members = Array.from({ length: 300 }, (_, i) => `"${i}":"${'x'.repeat(4000)}"`);
    await expect(read(`{${members.join()}}`)).rejects.toMatchObject({ code: 'payload_too_large' });
  });
});

describe('a long string', () => {
  test('is decoded, however it is cut and whatever is escaped', async () => {
    const image = noise(9001);
    const plain = image.toBase64();
    const wrapped = plain.replace(/.{76}/g, '$&\\r\\n');
    const escaped = wrapped.replaceAll('/', '\\/').replaceAll('+', '\\u002B');
    const every = plain.replace(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
    for (const text of [plain, escaped, every, `data:image/png;base64,${plain}`]) {
      for (const size of [1, 7, 4099, 1 << 16]) {
        const body = await read(`{"b":"short","image":"${text}","after":{"c":[1,"x"]}}`, size);
        expect(body.value).toEqual({ b: 'short', image: PLACEHOLDER, after: { c: [1, 'x'] } });
        expect(body.image).toEqual(image);
        expect(body.imageError).toBeUndefined();
      }
    }
  });

  test('is one of more than LONG_STRING_BYTES', async () => {
    const at = 'A'.repeat(LONG_STRING_BYTES);
    expect((await read(`{"image":"${at}"}`)).value).toEqual({ image: at });
    expect((await read(`{"image":"${at}AAAA"}`)).value).toEqual({ image: PLACEHOLDER });
  });

  test('is only the first; a second is left as it is', async () => {
    const long = noise(6000).toBase64();
    const body = await read(`["${long}","${long}"]`);
    expect(body.value).toEqual([PLACEHOLDER, long]);
    expect(body.image).toEqual(noise(6000));
  });

  test('that is not base64 gives an imageError, and the rest is read', async () => {
    for (const text of [
      `${'A'.repeat(9000)}!`,
      `!${'A'.repeat(9000)}`,
      `${'A'.repeat(9001)}`,
      `${'A'.repeat(8000)}\\u00e9`,
    ]) {
      const body = await read(`{"image":"${text}","id":7}`);
      expect(body.value).toEqual({ image: PLACEHOLDER, id: 7 });
      expect(body.imageError).toMatchObject({ code: 'bad_request' });
      expect(body.image).toBeUndefined();
    }
  });

  test('with an invalid escape anywhere gives a parse error, or bad_request as imageError', async () => {
    for (const at of [10, 4090, 4094, 4095, 4096, 4097, 5000]) {
      for (const wrong of ['\\x', '\\u12', '\\u12"']) {
        const text = `{"image":"${'A'.repeat(at)}${wrong}${'A'.repeat(6000)}"}`;
        const code = await read(text).then(
          ({ imageError }) => imageError?.code,
          (error) => error.code,
        );
        expect([-32700, 'bad_request']).toContain(code);
      }
    }
  });

  test('that never ends is a parse error', async () => {
    await expect(read(`{"image":"${'A'.repeat(9000)}`)).rejects.toMatchObject({ code: -32700 });
  });

  test('of more than 25 MB gives the imageError payload_too_large', async () => {
    const text = 'A'.repeat(Math.ceil((25 * 1024 * 1024) / 3) * 4 + 4);
    const body = await read(`{"image":"${text}"}`);
    expect(body.imageError).toMatchObject({ code: 'payload_too_large' });
  });
});

test('imageFromBase64 decodes a base64 text', () => {
  expect(imageFromBase64(noise(100).toBase64())).toEqual(noise(100));
  expect(() => imageFromBase64('?')).toThrow(expect.objectContaining({ code: 'bad_request' }));
});
