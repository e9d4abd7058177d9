import sharp, { type WebpOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { webpDecoder } from '../../../src/codecs/webp/decoder.ts';
import { webpEncoder } from '../../../src/codecs/webp/encoder.ts';
import { firstFrame } from '../../../src/codecs/webp/first_frame.ts';
import { decoderCases, decodeWhole, stillFacts } from '../../cases/decoder_cases.ts';
import { encoderCases } from '../../cases/encoder_cases.ts';
import { noisePicture, type Picture, photoPicture, rasterOf } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

const raw = ({ width, height, pixels }: Picture) => sharp(pixels, { raw: { width, height, channels: 4 } });

async function sample(name: string, picture: Picture, options: WebpOptions) {
  const bytes = new Uint8Array(
    await raw(picture)
      .webp({ effort: 0, ...options })
      .toBuffer(),
  );
  const { pixels } = await readBySharp(bytes);
  return { name, bytes, facts: stillFacts('webp', picture.width, picture.height), pixels };
}

describe('WebP decoder', async () => {
  decoderCases({
    decoder: webpDecoder,
    samples: [
      await sample('lossless', noisePicture(33, 21, 1), { lossless: true }),
      await sample('lossless with alpha', noisePicture(20, 31, 2, 'any'), { lossless: true, exact: true }),
      await sample('lossy with alpha', noisePicture(40, 30, 4, 'any'), { quality: 80, exact: true }),
    ],
    cuts: 8,
    namesRow: false,
  });

  it('reads a lossy photograph as libwebp does, but for chroma upsampling', async () => {
    const { bytes, facts, pixels } = await sample('lossy', photoPicture(64, 50, 3), { quality: 80 });
    const { pixels: ours } = await decodeWhole(webpDecoder, { bytes, facts });
    for (let i = 0; i < pixels.length; i++) expect(Math.abs(ours[i]! - pixels[i]!)).toBeLessThanOrEqual(2);
  });

  it('reads the first frame of an animation onto its canvas', async () => {
    const frames = [photoPicture(24, 16, 1), photoPicture(24, 16, 2)];
    const stacked = new Uint8Array(frames.flatMap(({ pixels }) => [...pixels]));
    const bytes = new Uint8Array(
      await sharp(stacked, { raw: { width: 24, height: 32, channels: 4, pageHeight: 16 } })
        .webp({ lossless: true })
        .toBuffer(),
    );
    const facts = stillFacts('webp', 24, 16, { frames: 2 });
    const first = firstFrame(bytes);
    expect(first).toMatchObject({ x: 0, y: 0, width: 24, height: 16 });
    const { pixels: ours } = await decodeWhole(webpDecoder, { bytes, facts });
    expect(ours).toEqual(frames[0]!.pixels);
    expect(firstFrame(new Uint8Array(await raw(frames[0]!).webp().toBuffer()))).toBeNull();
  });
});

describe('WebP encoder', () => {
  encoderCases({ encoder: webpEncoder, decode: readBySharp, meanError: 4, keepsAlpha: true });

  it('refuses edges that the format cannot hold', async () => {
    const picture = { width: 16384, height: 1, pixels: new Uint8Array(16384 * 4) };
    await expect(webpEncoder.encode(rasterOf(picture), 90, 1e9)).rejects.toThrow('at most 16383');
  });
});
