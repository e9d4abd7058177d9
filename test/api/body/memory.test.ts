import { describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '../../../src/api/body/limits.ts';
import { readUpload } from '../../../src/api/body/read.ts';
import { post, sent, utf8 } from './bodies.ts';
import { counted } from './counting.ts';

const MB = 1024 * 1024;

/** Bytes that may be allocated to read an image of 25 MB: the image and 2 MB. */
const BOUND = MAX_IMAGE_BYTES + 2 * MB;

/** A JSON body with an image of 25 MB, generated while it is sent; the image repeats 0, 1, 2, … 254. */
function body(wrap: (base64: string) => string) {
  const block = Uint8Array.from({ length: 255 * 192 }, (_, i) => i % 255);
  const characters = utf8(wrap(block.toBase64()));
  const whole = Math.floor(MAX_IMAGE_BYTES / block.length);
  const rest = utf8(block.subarray(0, MAX_IMAGE_BYTES - whole * block.length).toBase64());
  const start = utf8('{"ops":{"grayscale":true},"image":"data:image/jpeg;base64,');
  const end = utf8('"}');
  function* pieces() {
    yield start;
    for (let i = 0; i < whole; i++) yield characters;
    yield rest;
    yield end;
  }
  return { pieces, length: start.length + whole * characters.length + rest.length + end.length };
}

describe('bytes allocated to read a 25 MB image as base64 JSON, without counting what is freed', () => {
  it.each([
    ['with Content-Length', true, (text: string) => text],
    ['without Content-Length', false, (text: string) => text],
    ['with lines wrapped at 76 characters', true, (text: string) => text.replace(/.{76}/g, '$&\\r\\n')],
    ['with every slash escaped', true, (text: string) => text.replaceAll('/', '\\/')],
  ])('are at most 25 MB + 2 MB %s', async (_, declared, wrap) => {
    const { pieces, length } = body(wrap);
    const { allocate, bytes } = counted();
    const headers: Record<string, string> = declared ? { 'Content-Length': String(length) } : {};
    const request = post({ body: sent(pieces()).stream, type: 'application/json', headers });
    const { image, ops } = await readUpload(request, undefined, allocate);
    expect(ops).toEqual({ grayscale: true });
    expect(image.length).toBe(MAX_IMAGE_BYTES);
    for (let i = 0; i < image.length; i += 999_983) expect(image[i]).toBe(i % 255);
    expect(bytes()).toBeGreaterThanOrEqual(MAX_IMAGE_BYTES);
    expect(bytes()).toBeLessThanOrEqual(BOUND);
  });

  it('are as few for a network stream, which fills a buffer of the reader', async () => {
    const { pieces } = body((text) => text);
    const text = [...pieces()].map((piece) => new TextDecoder().decode(piece)).join('');
    const { allocate, bytes } = counted();
    const headers = { 'Content-Length': String(text.length) };
    const { image } = await readUpload(
      post({ body: text, type: 'application/json', headers }),
      undefined,
      allocate,
    );
    expect(image.length).toBe(MAX_IMAGE_BYTES);
    expect(bytes()).toBeLessThanOrEqual(BOUND);
  });
});
