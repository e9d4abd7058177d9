import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openDeflater, type Tuning } from '../../src/codecs/deflate.ts';
import { joined } from '../fixtures/png_writer.ts';
import { seededRandom } from '../fixtures/raster.ts';

function material(length: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = random() < 0.7 ? bytes[i - 300]! : random() * 256;
  return bytes;
}

async function deflated(parts: readonly (Uint8Array | Tuning)[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  using deflater = openDeflater('runs', (piece) => pieces.push(piece));
  for (const part of parts) {
    if (typeof part === 'string') await deflater.tune(part);
    else await deflater.write(part);
  }
  await deflater.finish();
  return joined(pieces);
}

describe('deflater', () => {
  it('makes one zlib stream of all writes, through every change of tuning', async () => {
    const parts = [material(100_000, 1), material(7, 2), material(300_000, 3)] as const;
    const packed = await deflated([
      parts[0],
      'thorough',
      parts[1],
      'quick',
      'runs',
      'runs',
      parts[2],
      'quick',
    ]);
    expect(new Uint8Array(inflateSync(packed))).toEqual(joined(parts));
  });

  it('searches as far as the tuning says', async () => {
    const bytes = material(200_000, 4);
    const runs = await deflated([bytes]);
    const quick = await deflated(['quick', bytes]);
    const thorough = await deflated(['thorough', bytes]);
    expect(quick.length).toBeLessThan(runs.length);
    expect(thorough.length).toBeLessThan(quick.length);
  });

  it('is done with the bytes when a write is', async () => {
    const bytes = material(100_000, 5);
    const copy = bytes.slice();
    const pieces: Uint8Array[] = [];
    using deflater = openDeflater('quick', (piece) => pieces.push(piece));
    await deflater.write(copy);
    copy.fill(0);
    await deflater.finish();
    expect(new Uint8Array(inflateSync(joined(pieces)))).toEqual(bytes);
  });

  it('ends an empty stream', async () => {
    expect(inflateSync(await deflated([])).length).toBe(0);
  });

  it('hands the sink’s error to the waiting call, and to every later one', async () => {
    using deflater = openDeflater('runs', () => {
      throw new RangeError('no room');
    });
    const writing = async () => {
      for (let turn = 0; turn < 8; turn++) await deflater.write(material(300_000, turn));
    };
    await expect(writing()).rejects.toThrow('no room');
    await expect(deflater.finish()).rejects.toThrow('no room');
  });
});
