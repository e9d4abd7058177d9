import { describe, expect, it } from 'vitest';
import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import { offerSamples, samplesOf } from '../../../src/codecs/jpeg/planes.ts';
import type { Raster } from '../../../src/codecs/types.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { clearTransparent } from '../../../src/pixels/clear_transparent.ts';
import { crop } from '../../../src/pixels/crop.ts';
import { grayscale } from '../../../src/pixels/grayscale.ts';
import { orient } from '../../../src/pixels/orient.ts';
import { pixelate } from '../../../src/pixels/pixelate.ts';
import { resize } from '../../../src/pixels/resize.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';
import { noisePicture, type Picture, photoPicture, rasterOf, readPicture } from '../../fixtures/raster.ts';

const ROOM = 1 << 26;
/** A quality for each sampling that the encoder gives it. */
const QUALITIES = { '4:2:0': 85, '4:4:4': 95 } as const;

const encoded = async (source: Raster, quality: number) =>
  (await jpegEncoder.encode(source, quality, ROOM)).bytes;

function greyPicture(width: number, height: number): Picture {
  const { pixels } = photoPicture(width, height, 2);
  for (let i = 0; i < pixels.length; i += 4) pixels[i + 1] = pixels[i + 2] = pixels[i]!;
  return { width, height, pixels };
}

function pixelsOf(bytes: Uint8Array): Uint8Array {
  using raster = openJpeg(bytes);
  return readPicture(raster).pixels;
}

function meanSquare(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum / a.length;
}

describe('JPEG to JPEG by stored samples', () => {
  it('reads no pixels, and loses no more than by way of pixels', async () => {
    for (const [width, height] of [
      [1, 1],
      [16, 16],
      [33, 41],
      [50, 17],
      [130, 95],
    ] as const) {
      for (const [picture, quality] of [
        [photoPicture(width, height, 3), QUALITIES['4:2:0']],
        [photoPicture(width, height, 3), QUALITIES['4:4:4']],
        [greyPicture(width, height), 80],
      ] as const) {
        const source = await encoded(rasterOf(picture), quality);
        using raster = openJpeg(source);
        const byPixels = await encoded({ ...raster }, quality);
        const { strips } = raster;
        raster.strips = () => {
          throw new Error('pixels were read');
        };
        const bySamples = await encoded(raster, quality);
        raster.strips = strips;
        const original = readPicture(raster).pixels;
        const lost = meanSquare(pixelsOf(bySamples), original);
        expect(lost).toBeLessThanOrEqual(meanSquare(pixelsOf(byPixels), original) + 0.5);
      }
    }
  });

  it('goes by way of pixels where the output is sampled differently', async () => {
    const picture = photoPicture(40, 30, 1);
    for (const [from, to] of [
      [85, 95],
      [95, 85],
    ] as const) {
      using raster = openJpeg(await encoded(rasterOf(picture), from));
      expect(samplesOf(raster)).toBeDefined();
      expect(await encoded(raster, to)).toEqual(await encoded({ ...raster }, to));
    }
  });

  it('halves whole chroma that a resize made, where it would halve that of pixels', async () => {
    for (const [width, height] of [
      [1, 1],
      [48, 32],
      [37, 29],
      [131, 70],
    ] as const) {
      const photo = photoPicture(width, height, 6);
      // Red and green side by side: chroma too sharp to be halved, unless that is asked for.
      const checked = {
        ...photo,
        pixels: photo.pixels.map((_, i) => [i & 4 ? 255 : 0, i & 4 ? 0 : 255, 0, 255][i & 3]!),
      };
      for (const [picture, chroma] of [
        [photo, undefined],
        [checked, undefined],
        [checked, 'halved'],
      ] as const) {
        using raster = openJpeg(await encoded(rasterOf(picture), 95));
        offerSamples(raster, { ...samplesOf(raster)!, mayBeHalved: true });
        const encodedAs = async (source: Raster) =>
          (await jpegEncoder.encode(source, 85, ROOM, undefined, undefined, chroma)).bytes;
        const byPixels = await encodedAs({ ...raster });
        const { strips } = raster;
        raster.strips = () => {
          throw new Error('pixels were read');
        };
        const bySamples = await encodedAs(raster);
        raster.strips = strips;
        expect(scan(bySamples)!.jpeg!.sampling).toEqual(scan(byPixels)!.jpeg!.sampling);
        const original = readPicture(raster).pixels;
        const lost = meanSquare(pixelsOf(bySamples), original);
        expect(lost).toBeLessThanOrEqual(1.01 * meanSquare(pixelsOf(byPixels), original) + 1);
      }
    }
  });

  it('leaves behind what the file holds past the edges of its picture', async () => {
    for (const quality of Object.values(QUALITIES)) {
      // Smaller only by its header: the blocks still hold all of the noise.
      const file = resized(await encoded(rasterOf(noisePicture(32, 32, 8)), quality), 26, 27);
      using raster = openJpeg(file);
      expect(samplesOf(raster)).toBeDefined();
      const revealed = pixelsOf(resized(await encoded(raster, quality), 32, 32));
      const green = (x: number, y: number) => revealed[(y * 32 + x) * 4 + 1]!;
      // Rows and columns go on with their last pixel, as far as the quality keeps it; noise would differ by
      // 200 somewhere.
      for (let i = 2; i < 24; i++) {
        expect(Math.abs(green(31, i) - green(28, i))).toBeLessThan(60);
        expect(Math.abs(green(i, 31) - green(i, 29))).toBeLessThan(60);
      }
    }
  });

  it('is lost by every step, and by a copy', async () => {
    using raster = openJpeg(await encoded(rasterOf(photoPicture(40, 30, 1)), 95));
    expect(samplesOf(raster)?.sampling).toBe('4:4:4');
    const area = { x: 8, y: 8, width: 16, height: 16 };
    const results = [
      { ...raster },
      crop(raster, area),
      grayscale(raster),
      resize(raster, { width: 20, height: 15 }),
      pixelate(raster, [{ block: 4, areas: [area] }], 1 << 20),
      raster.columns!(0, 40),
      ...([2, 3, 4, 5, 6, 7, 8] as const).map((orientation) => orient(raster, orientation, 1 << 20)),
    ];
    for (const result of results) expect(samplesOf(result)).toBeUndefined();
    // What leaves the picture as it is may hand on the very raster.
    const same = clearTransparent(crop(orient(raster, 1, 1 << 20), { x: 0, y: 0, width: 40, height: 30 }));
    expect(same).toBe(raster);
  });

  it('is not offered where the decoder shrinks', async () => {
    const file = await encoded(rasterOf(photoPicture(64, 64, 1)), 95);
    using raster = openJpeg(file, { minWidth: 20 });
    expect(raster.width).toBe(32);
    expect(samplesOf(raster)).toBeUndefined();
  });
});

/** The file with another size in its frame header (T.81 B.2.2). */
function resized(file: Uint8Array, width: number, height: number): Uint8Array {
  const bytes = file.slice();
  let at = 2;
  while (bytes[at + 1] !== 0xc0) at += 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
  bytes.set([height >> 8, height & 255, width >> 8, width & 255], at + 5);
  return bytes;
}
