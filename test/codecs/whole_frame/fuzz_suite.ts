import sharp, { type Sharp } from 'sharp';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { webpDecoder } from '../../../src/codecs/webp/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import { noisePicture, photoPicture } from '../../fixtures/raster.ts';

const { width, height } = { width: 24, height: 18 };
const draw = (alpha: 'opaque' | 'any') =>
  sharp(
    alpha === 'opaque' ? photoPicture(width, height, 1).pixels : noisePicture(width, height, 2, 'any').pixels,
    {
      raw: { width, height, channels: 4 },
    },
  );

async function seed(name: string, picture: Sharp) {
  return { name, bytes: new Uint8Array(await picture.toBuffer()) };
}

const factsOf = (bytes: Uint8Array) => scan(bytes) ?? undefined;

const webpSeeds = [
  await seed('lossy', draw('opaque').webp({ quality: 60 })),
  await seed('lossy with alpha', draw('any').webp({ quality: 60 })),
  await seed('lossless', draw('any').webp({ lossless: true })),
];

const avifSeeds = [
  await seed('lossy', draw('opaque').avif({ quality: 50, effort: 0 })),
  await seed('with alpha', draw('any').avif({ quality: 50, effort: 0 })),
];

export function fuzzWholeFrames(count: number): void {
  fuzzDecoder({
    decoder: webpDecoder,
    count,
    seed: 31,
    factsOf,
    seeds: webpSeeds,
  });

  fuzzDecoder({
    decoder: avifDecoder,
    count,
    seed: 32,
    factsOf,
    seeds: avifSeeds,
  });
}
