import { describe, expect, it } from 'vitest';
import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import { encoderCases } from '../../cases/encoder_cases.ts';
import { chromaOf, jpegBySharp, scanOf } from '../../fixtures/jpeg_rivals.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { noisePicture, photoPicture } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import { encoded, expectReadAlike, expectShorter } from './encoder_quality.ts';

const QUALITIES = [50, 75, 92, 100];

describe('JPEG encoder, by other readers', () => {
  encoderCases({ encoder: jpegEncoder, decode: readBySharp, meanError: 5, keepsAlpha: false });
});

describe('JPEG encoder beside libjpeg-turbo', () => {
  it('writes the very same scan at quality 100, where no level is chosen, at any size', async () => {
    const random = seededRandom(31);
    for (let turn = 0; turn < 150; turn++) {
      const width = 1 + Math.floor(random() * 70);
      const height = 1 + Math.floor(random() * 70);
      const quality = 100;
      const picture = turn % 2 === 0 ? noisePicture(width, height, turn) : photoPicture(width, height, turn);
      const ours = await encoded(picture, quality);
      const theirs = await jpegBySharp(picture, { quality, chroma: await chromaOf(ours) });
      expect({ width, height, scan: scanOf(ours) }).toEqual({ width, height, scan: scanOf(theirs) });
    }
  });

  it('writes the very same scan of a grey picture at quality 100', async () => {
    for (const [width, height] of [
      [1, 1],
      [64, 33],
      [45, 70],
    ] as const) {
      const { pixels } = noisePicture(width, height, width);
      for (let i = 0; i < pixels.length; i += 4) pixels[i + 1] = pixels[i + 2] = pixels[i]!;
      const picture = { width, height, pixels };
      const theirs = await jpegBySharp(picture, { quality: 100, chroma: '4:4:4', grey: true });
      expect(scanOf(await encoded(picture, 100))).toEqual(scanOf(theirs));
    }
  });

  it('is shorter at equal quality on a made photograph', async () => {
    const picture = photoPicture(640, 480, 5);
    for (const quality of QUALITIES) await expectShorter(picture, quality);
  });

  it('flattens alpha onto white as exact arithmetic does', async () => {
    const picture = noisePicture(37, 23, 8, 'any');
    const flat = picture.pixels.slice();
    for (let i = 0; i < flat.length; i += 4) {
      const alpha = flat[i + 3]!;
      for (let c = i; c < i + 3; c++) flat[c] = Math.round((flat[c]! * alpha + 255 * (255 - alpha)) / 255);
      flat[i + 3] = 255;
    }
    expect(await encoded(picture, 95)).toEqual(await encoded({ ...picture, pixels: flat }, 95));
  });

  it('is read alike by sharp and by jSquash', async () => {
    for (const quality of QUALITIES)
      await expectReadAlike(await encoded(photoPicture(150, 101, quality), quality));
  });
});
