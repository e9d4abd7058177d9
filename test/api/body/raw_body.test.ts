import { describe, expect, it } from 'vitest';
import { arraySink, LimitedSink } from '../../../src/api/body/image_sink.ts';
import { MAX_IMAGE_BYTES } from '../../../src/api/body/limits.ts';
import { readRaw } from '../../../src/api/body/raw_body.ts';
import { outcome, sent, utf8 } from './bodies.ts';

async function read(query: string, pieces: Iterable<Uint8Array> = [utf8('AB'), utf8('C')]) {
  const sink = new LimitedSink(arraySink());
  const ops = await readRaw(sent(pieces).stream, undefined, new URLSearchParams(query), sink);
  return { image: sink.finish(), ops };
}

describe('an image as the body', () => {
  it.each([
    ['', 'image 65 66 67, ops undefined'],
    ['?ops=', 'image 65 66 67, ops undefined'],
    [`?ops=${encodeURIComponent('{"a":"é+ "}')}`, 'image 65 66 67, ops {"a":"é+ "}'],
    ['?ops={"a":1}', 'image 65 66 67, ops {"a":1}'],
    ['?ops=%7B', '400 bad_request: ops is not valid JSON'],
    ['?ops={}&ops={}', '400 bad_request: The query string holds "ops" twice'],
    ['?opps={}&format=png&opps=1', '400 bad_request: The query string holds "opps", "format": beside'],
    ['?ops={"image_url":1}', 'never fetched'],
  ])('with the query %j gives: %s', async (query, message) => {
    expect(await outcome(read(query))).toContain(message);
  });

  it('is refused if empty or larger than 25 MB', async () => {
    expect(await outcome(read('', []))).toContain('400 bad_request: The body is empty');
    const piece = new Uint8Array(1024 * 1024);
    const pieces = Array.from({ length: 25 }, () => piece);
    expect(await outcome(read('', pieces))).toBe(`image ${MAX_IMAGE_BYTES} bytes, ops undefined`);
    expect(await outcome(read('', [...pieces, new Uint8Array(1)]))).toContain('413 payload_too_large');
  });

  it('is not read if its ops are refused', async () => {
    const { stream, chunksTaken } = sent([utf8('AB')]);
    const reading = readRaw(stream, undefined, new URLSearchParams('?ops={'), new LimitedSink(arraySink()));
    await expect(reading).rejects.toThrow('not valid JSON');
    expect(chunksTaken()).toBe(0);
  });
});
