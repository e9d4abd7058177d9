import { describe, expect, it } from 'vitest';
import { inflatePrefix } from '../../../src/core/deflate/inflate_prefix.ts';
import { bytes } from '../../fixtures/bytes.ts';
import { zlibStored } from '../../fixtures/png_writer.ts';

async function deflate(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([data]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
async function inflate(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const samples: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
  ['nothing', new Uint8Array(0)],
  ['a byte', Uint8Array.of(7)],
  ['zeros', new Uint8Array(40_000)],
  ['text', bytes('the quick brown fox jumps over the lazy dog; '.repeat(300))],
  ['noise', Uint8Array.from({ length: 5000 }, (_, n) => (Math.imul(n, 2654435761) >>> 13) & 0xff)],
  ['every byte and long distances', Uint8Array.from({ length: 70_000 }, (_, n) => (n * n) >> 7)],
];

describe('inflatePrefix', () => {
  it.each(samples)('gives back %s', async (_, data) => {
    expect(inflatePrefix(await deflate(data), 1 << 20)).toEqual(data);
  });

  it.each(samples)('stops at the cap: %s', async (_, data) => {
    const most = Math.floor(data.length / 3);
    expect(inflatePrefix(await deflate(data), most)).toEqual(data.subarray(0, most));
  });

  it.each(samples)('keeps what it has when the stream breaks off: %s', async (_, data) => {
    const whole = await deflate(data);
    const got = inflatePrefix(whole.subarray(0, whole.length >> 1), 1 << 20);
    expect(got).toEqual(data.subarray(0, got.length));
  });

  it('reads stored blocks', () => {
    expect(inflatePrefix(zlibStored('abc'), 99)).toEqual(bytes('abc'));
  });

  it('never throws, whatever is in the stream', async () => {
    const whole = await deflate(samples[3]![1]);
    for (let at = 0; at < whole.length; at++) {
      for (const value of [0, 0xff, whole[at]! ^ 0x10]) {
        const broken = whole.slice();
        broken[at] = value;
        expect(inflatePrefix(broken, 50_000).length).toBeLessThanOrEqual(50_000);
      }
    }
  });

  it('refuses what is no zlib stream', () => {
    expect(inflatePrefix(bytes('PK\x03\x04'), 99).length).toBe(0);
    expect(inflatePrefix(new Uint8Array(0), 99).length).toBe(0);
  });
});

describe('zlibStored, the writer of the fixtures', () => {
  it('makes streams that others read', async () => {
    expect(await inflate(bytes(zlibStored('any text at all')))).toEqual(bytes('any text at all'));
  });
});
