import { expect } from 'vitest';
import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import { firstDifference } from '../../cases/decoder_cases.ts';
import { chromaOf, jpegBySharp, psnr, readByJsquash } from '../../fixtures/jpeg_rivals.ts';
import { type Picture, rasterOf } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

const ROOM = 1 << 26;

export const encoded = async (picture: Picture, quality: number) =>
  (await jpegEncoder.encode(rasterOf(picture), quality, ROOM)).bytes;

/**
 * At least 3 % shorter than libjpeg-turbo's file of the same PSNR and sampling, between its two nearest
 * qualities; at quality 100 as long and as good.
 */
export async function expectShorter(picture: Picture, quality: number): Promise<void> {
  const ours = await encoded(picture, quality);
  const chroma = await chromaOf(ours);
  const noise = async (bytes: Uint8Array) => psnr((await readBySharp(bytes)).pixels, picture.pixels);
  const theirs = async (at: number) => {
    const file = await jpegBySharp(picture, { quality: at, chroma });
    return { length: file.length, noise: await noise(file) };
  };
  if (quality === 100) {
    const same = await theirs(100);
    expect(ours.length / same.length).toBeLessThanOrEqual(1.01);
    expect(await noise(ours)).toBeGreaterThanOrEqual(same.noise - 0.1);
    return;
  }
  const reached = await noise(ours);
  let [low, high] = [5, 100];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((await theirs(middle)).noise <= reached) low = middle;
    else high = middle;
  }
  const [below, above] = [await theirs(low), await theirs(high)];
  const part = (reached - below.noise) / (above.noise - below.noise);
  const length = below.length * (above.length / below.length) ** part;
  expect(ours.length / length).toBeLessThanOrEqual(0.97);
}

/** sharp and jSquash (libjpeg-turbo and MozJPEG) read the same pixels. */
export async function expectReadAlike(bytes: Uint8Array): Promise<void> {
  const bySharp = await readBySharp(bytes);
  const byJsquash = await readByJsquash(bytes);
  expect([byJsquash.width, byJsquash.height]).toEqual([bySharp.width, bySharp.height]);
  expect(firstDifference(byJsquash.pixels, bySharp.pixels)).toBe('none');
}
