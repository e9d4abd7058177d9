import { expect, it } from 'vitest';
import type { Encoder } from '../../src/codecs/types.ts';
import { Fault } from '../../src/faults.ts';
import { totalBytes } from '../../src/memory/memory_cost.ts';
import { noisePicture, type Picture, photoPicture, rasterOf } from '../fixtures/raster.ts';

/** How far from the source a decoded result may be; `decode` is an independent reader giving RGBA. */
interface EncoderCases {
  readonly encoder: Encoder;
  readonly decode: (bytes: Uint8Array) => Promise<Picture>;
  /** Largest mean difference a channel for a photograph at quality 92; 0 for a lossless format. */
  readonly meanError: number;
  /** Whether alpha survives; otherwise it is flattened onto white. */
  readonly keepsAlpha: boolean;
}

const ROOM = 1 << 26;

/** What every encoder must keep, whatever it writes. */
export function encoderCases({ encoder, decode, meanError, keepsAlpha }: EncoderCases): void {
  it('writes what an independent reader reads back, at any size', async () => {
    for (const [width, height] of [
      [1, 1],
      [1, 17],
      [33, 1],
      [64, 48],
      [101, 67],
    ] as const) {
      const picture = photoPicture(width, height, width);
      const { bytes } = await encoder.encode(rasterOf(picture), 92, ROOM);
      const read = await decode(bytes);
      expect([read.width, read.height]).toEqual([width, height]);
      expect(meanDifference(read.pixels, picture.pixels)).toBeLessThanOrEqual(meanError);
    }
  });

  it('writes the same bytes whatever the strip height', async () => {
    const picture = noisePicture(45, 70, 3, 'any');
    const whole = await encoder.encode(rasterOf(picture, 70), 80, ROOM);
    for (const heights of [1, 7, [3, 30, 2]]) {
      const cut = await encoder.encode(rasterOf(picture, heights), 80, ROOM);
      expect(cut.bytes).toEqual(whole.bytes);
    }
  });

  it(keepsAlpha ? 'keeps alpha' : 'flattens alpha onto white', async () => {
    const pixels = Uint8Array.from(Array.from({ length: 32 * 32 }, () => [200, 40, 90, 51]).flat());
    const { bytes } = await encoder.encode(rasterOf({ width: 32, height: 32, pixels }), 100, ROOM);
    const read = await decode(bytes);
    const expected = keepsAlpha ? [200, 40, 90, 51] : [244, 212, 222, 255];
    for (let c = 0; c < 4; c++) expect(Math.abs(read.pixels[c]! - expected[c]!)).toBeLessThanOrEqual(6);
  });

  it('refuses to write more than there is room for, and writes again after', async () => {
    const picture = noisePicture(120, 90, 4);
    const { bytes } = await encoder.encode(rasterOf(picture), 90, ROOM);
    await expect(encoder.encode(rasterOf(picture), 90, bytes.length - 1)).rejects.toMatchObject({
      kind: 'limit',
    });
    expect((await encoder.encode(rasterOf(picture), 90, bytes.length)).bytes).toEqual(bytes);
  });

  it('passes on what its source throws, and writes again after', async () => {
    const picture = photoPicture(40, 40);
    const broken = {
      ...rasterOf(picture),
      *strips() {
        yield* [...rasterOf(picture, 8).strips()].slice(0, 2);
        throw new Fault('decoding', 'broken at row 16');
      },
    };
    await expect(encoder.encode(broken, 90, ROOM)).rejects.toThrow('broken at row 16');
    expect((await encoder.encode(rasterOf(picture), 90, ROOM)).bytes.length).toBeGreaterThan(0);
  });

  it('tells a cost that grows with the image and covers its output', async () => {
    const picture = noisePicture(200, 150, 5);
    const { bytes } = await encoder.encode(rasterOf(picture), 100, ROOM);
    expect(totalBytes(encoder.cost({ width: 200, height: 150 }, 100))).toBeGreaterThan(bytes.length);
    expect(totalBytes(encoder.cost({ width: 4000, height: 3000 }, 92))).toBeGreaterThan(
      totalBytes(encoder.cost({ width: 400, height: 300 }, 92)),
    );
  });
}

export function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}
