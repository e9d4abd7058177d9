import sharp, { type WebpOptions } from 'sharp';
import { webpDecoder } from '../../../src/codecs/webp/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import { noisePicture, type Picture, photoPicture } from '../../fixtures/raster.ts';
import { fewColours } from '../../fixtures/webp_pictures.ts';
import { writtenWebp } from '../../fixtures/webp_writing.ts';

const PHOTO = photoPicture(24, 18, 1);
const CLEAR = noisePicture(24, 18, 2, 'any');

const bySharp = async (name: string, { width, height, pixels }: Picture, options: WebpOptions) => ({
  name,
  bytes: new Uint8Array(
    await sharp(pixels, { raw: { width, height, channels: 4 } })
      .webp(options)
      .toBuffer(),
  ),
});

/** An animation of two frames, the second smaller. */
async function animation(): Promise<{ name: string; bytes: Uint8Array }> {
  const stacked = new Uint8Array([...PHOTO.pixels, ...CLEAR.pixels]);
  const raw = { width: 24, height: 36, channels: 4, pageHeight: 18 } as const;
  return {
    name: 'animation',
    bytes: new Uint8Array(await sharp(stacked, { raw }).webp({ quality: 60 }).toBuffer()),
  };
}

const seeds = [
  await bySharp('lossy', PHOTO, { quality: 60 }),
  await bySharp('lossy with alpha', CLEAR, { quality: 60 }),
  await bySharp('lossless', CLEAR, { lossless: true }),
  await bySharp('lossless of few colours', fewColours(40, 30, 5, 1), { lossless: true }),
  { name: 'our own', bytes: new Uint8Array(writtenWebp(PHOTO, 80)) },
  await animation(),
];

/** @param count mutated files in all */
export function fuzzWebp(count: number): void {
  fuzzDecoder({
    decoder: webpDecoder,
    count,
    seed: 31,
    factsOf: (bytes) => scan(bytes) ?? undefined,
    seeds,
  });
}
