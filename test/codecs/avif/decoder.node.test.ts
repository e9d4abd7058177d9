import sharp, { type AvifOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { decoderCases, decodeWhole, stillFacts } from '../../cases/decoder_cases.ts';
import { meanDifference } from '../../cases/encoder_cases.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

async function sample(name: string, width: number, height: number, options: AvifOptions) {
  const { pixels } = photoPicture(width, height, width);
  const bytes = new Uint8Array(
    await sharp(pixels, { raw: { width, height, channels: 4 } })
      .avif({ effort: 0, ...options })
      .toBuffer(),
  );
  return { name, bytes, facts: stillFacts('avif', width, height) };
}

describe('AVIF decoder', async () => {
  const samples = [
    await sample('4:4:4', 33, 25, { chromaSubsampling: '4:4:4' }),
    await sample('4:2:0', 64, 50, { chromaSubsampling: '4:2:0' }),
  ];
  decoderCases({ decoder: avifDecoder, samples, cuts: 6, namesRow: false });

  it.each(samples)('$name gives the pixels that sharp gives, within a level', async ({ bytes, facts }) => {
    const { pixels: ours } = await decodeWhole(avifDecoder, { bytes, facts });
    const theirs = await readBySharp(bytes);
    expect(meanDifference(ours, theirs.pixels)).toBeLessThan(1);
  });
});
