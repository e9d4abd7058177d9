import sharp from 'sharp';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import { noisePicture, photoPicture } from '../../fixtures/raster.ts';

const { width, height } = { width: 24, height: 18 };
const draw = (alpha: 'opaque' | 'any') =>
  sharp(
    alpha === 'opaque' ? photoPicture(width, height, 1).pixels : noisePicture(width, height, 2, 'any').pixels,
    { raw: { width, height, channels: 4 } },
  );

const seed = async (name: string, alpha: 'opaque' | 'any') => ({
  name,
  bytes: new Uint8Array(await draw(alpha).avif({ quality: 50, effort: 0 }).toBuffer()),
});

const seeds = [await seed('lossy', 'opaque'), await seed('with alpha', 'any')];

export function fuzzAvif(count: number): void {
  fuzzDecoder({
    decoder: avifDecoder,
    count,
    seed: 32,
    factsOf: (bytes) => scan(bytes) ?? undefined,
    seeds,
  });
}
