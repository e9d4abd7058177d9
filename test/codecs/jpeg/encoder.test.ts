import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import { FULL_CHROMA_QUALITY } from '../../../src/codecs/jpeg/encoder_cost.ts';
import type { Chroma, Raster } from '../../../src/codecs/types.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';
import { seededRandom } from '../../fixtures/random.ts';
import {
  noisePicture,
  type Picture,
  photoPicture,
  rasterOf,
  readPicture,
  testCore,
} from '../../fixtures/raster.ts';

const ROOM = 1 << 26;

const encoded = async (source: Raster, quality: number) =>
  (await jpegEncoder.encode(source, quality, ROOM)).bytes;

/** Marker bytes of a JPEG's segments up to its scan, and of its frame header the sampling factors. */
function structureOf(bytes: Uint8Array): { markers: number[]; sampling: number[] } {
  const markers: number[] = [];
  let sampling: number[] = [];
  for (let at = 2; ; at += 2 + bytes[at + 2]! * 256 + bytes[at + 3]!) {
    const marker = bytes[at + 1]!;
    markers.push(marker);
    if (marker === 0xc0) sampling = Array.from({ length: bytes[at + 9]! }, (_, i) => bytes[at + 11 + i * 3]!);
    if (marker === 0xda) return { markers, sampling };
  }
}

/** White, with dots of one colour on single pixels in a share of its 2 × 2 quads. */
function dotted(width: number, height: number, colour: readonly number[], share: number): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  const random = seededRandom(9);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) if (random() < share) pixels.set(colour, (y * width + x) * 4);
  }
  return { width, height, pixels };
}

describe('JPEG encoder', () => {
  it('gives bytes that responses and base64 take as they are', async () => {
    const bytes = await encoded(rasterOf(photoPicture(300, 200)), 92);
    const sent = new Uint8Array(await new Response(bytes).arrayBuffer());
    expect(sent).toEqual(bytes);
    expect(Uint8Array.fromBase64(bytes.toBase64())).toEqual(sent);
  });

  it('writes JFIF and no other application segment or comment', async () => {
    const colour = structureOf(await encoded(rasterOf(photoPicture(20, 20)), 80));
    expect(colour.markers).toEqual([0xe0, 0xdb, 0xdb, 0xc0, 0xc4, 0xc4, 0xc4, 0xc4, 0xda]);
    const grey = rasterOf({ width: 9, height: 3, pixels: new Uint8Array(9 * 3 * 4).fill(255) });
    const { markers, sampling } = structureOf(await encoded(grey, 95));
    expect(markers).toEqual([0xe0, 0xdb, 0xc0, 0xc4, 0xc4, 0xda]);
    expect(sampling).toEqual([0x11]);
  });

  it('keeps chroma whole from quality 90 on, and below where the content asks for it', async () => {
    const halved = [0x22, 0x11, 0x11];
    const full = [0x11, 0x11, 0x11];
    const photo = rasterOf(photoPicture(160, 120));
    expect(structureOf(await encoded(photo, FULL_CHROMA_QUALITY)).sampling).toEqual(full);
    expect(structureOf(await encoded(photo, FULL_CHROMA_QUALITY - 1)).sampling).toEqual(halved);
    const red = [255, 0, 0, 255];
    expect(structureOf(await encoded(rasterOf(dotted(160, 120, red, 0.05)), 80)).sampling).toEqual(full);
    expect(structureOf(await encoded(rasterOf(dotted(160, 120, red, 0.0005)), 80)).sampling).toEqual(halved);
    const dark = [20, 15, 12, 255];
    expect(structureOf(await encoded(rasterOf(dotted(160, 120, dark, 0.5)), 80)).sampling).toEqual(halved);
  });

  it('halves chroma as it is told, and again where the source had it so and its edges are blunt', async () => {
    const samplingOf = async (picture: Picture, quality: number, chroma: Chroma) => {
      const { bytes } = await jpegEncoder.encode(
        rasterOf(picture),
        quality,
        ROOM,
        undefined,
        undefined,
        chroma,
      );
      return structureOf(bytes).sampling[0];
    };
    const [photo, red] = [photoPicture(160, 120), dotted(160, 120, [255, 0, 0, 255], 0.05)];
    // As interpolation leaves saturated text: Cr differs by 53, which is borne below quality 90.
    const faded = dotted(160, 120, [255, 150, 150, 255], 0.05);
    for (const quality of [30, 95]) {
      expect(await samplingOf(photo, quality, 'whole')).toBe(0x11);
      expect(await samplingOf(red, quality, 'halved')).toBe(0x22);
      expect(await samplingOf(photo, quality, 'halved-again')).toBe(0x22);
      for (const picture of [red, faded])
        expect(await samplingOf(picture, quality, 'halved-again')).toBe(0x11);
    }
    expect(structureOf(await encoded(rasterOf(faded), 80)).sampling[0]).toBe(0x22);
  });

  it('reads its source once, twice only where the content asks for whole chroma', async () => {
    const reads = async (picture: Picture, quality: number) => {
      const source = rasterOf(picture);
      let count = 0;
      const strips = () => {
        count++;
        return source.strips();
      };
      await encoded({ ...source, strips }, quality);
      return count;
    };
    const graphic = dotted(160, 120, [255, 0, 0, 255], 0.05);
    expect(await reads(photoPicture(160, 120), 50)).toBe(1);
    expect(await reads(graphic, 50)).toBe(2);
    expect(await reads(graphic, 95)).toBe(1);
  });

  it('comes back from the decoder of this project as it was, at any size, quality and strip height', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 30, max: 100 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (width, height, quality, heights, noise) => {
          const picture = noise ? noisePicture(width, height, quality) : photoPicture(width, height, quality);
          const bytes = await encoded(rasterOf(picture, heights), quality);
          expect(bytes).toEqual(await encoded(rasterOf(picture, height), quality));
          using raster = openJpeg(bytes);
          const read = readPicture(raster);
          expect([read.width, read.height]).toEqual([width, height]);
          // Grain is lost at low quality, more so in halved chroma; a block out of place would be far off.
          if (!noise && quality >= 90) expect(meanError(read.pixels, picture.pixels)).toBeLessThan(8);
        },
      ),
      { seed: 6, numRuns: 60 },
    );
  });

  it('writes no file of a raster that ends early', async () => {
    const source = rasterOf(photoPicture(20, 20));
    const short = { ...source, strips: () => [...source.strips()].slice(0, 1) };
    await expect(encoded(short, 92)).rejects.toThrow('16 of 20 rows');
  });

  it('refuses edges that the format cannot tell', async () => {
    const wide: Raster = {
      width: 65_536,
      height: 1,
      opaque: true,
      grey: true,
      core: testCore(),
      strips: () => [],
    };
    await expect(jpegEncoder.encode(wide, 90, ROOM)).rejects.toMatchObject({ kind: 'limit' });
  });
});

function meanError(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}
