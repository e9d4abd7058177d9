import { expect } from 'vitest';
import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import { firstDifference } from '../../cases/decoder_cases.ts';
import { chromaOf, jpegBySharp, psnr, readByJsquash } from '../../fixtures/jpeg_rivals.ts';
import { type Picture, rasterOf } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

const ROOM = 1 << 26;

export const encoded = async (picture: Picture, quality: number) =>
  (await jpegEncoder.encode(rasterOf(picture), quality, ROOM)).bytes;

/** Within 0.1 dB and 3 % of libjpeg-turbo at the same sampling. */
export async function expectAsGood(picture: Picture, quality: number): Promise<void> {
  const ours = await encoded(picture, quality);
  const theirs = await jpegBySharp(picture, { quality, chroma: await chromaOf(ours) });
  expect(ours.length / theirs.length).toBeLessThanOrEqual(1.03);
  const noise = async (bytes: Uint8Array) => psnr((await readBySharp(bytes)).pixels, picture.pixels);
  expect(await noise(ours)).toBeGreaterThanOrEqual((await noise(theirs)) - 0.1);
}

/** sharp and jSquash (libjpeg-turbo and MozJPEG) read the same pixels. */
export async function expectReadAlike(bytes: Uint8Array): Promise<void> {
  const bySharp = await readBySharp(bytes);
  const byJsquash = await readByJsquash(bytes);
  expect([byJsquash.width, byJsquash.height]).toEqual([bySharp.width, bySharp.height]);
  expect(firstDifference(byJsquash.pixels, bySharp.pixels)).toBe('none');
}
