import { describe, expect, it } from 'vitest';
import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import {
  encodingBytes,
  predictedOutputBytes,
  tokenBytes,
  writerBytes,
} from '../../../src/codecs/jpeg/encoder_cost.ts';
import { createCore } from '../../../src/core/instance.ts';
import { JpegSampling, TOKEN_BUDGET } from '../../../src/core/jpeg/encode.ts';
import { PAGE_BYTES } from '../../../src/core/memory_pool.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { type Picture, photoPicture } from '../../fixtures/raster.ts';
import { counted, samplingFor } from './counted_encoding.ts';

/** A photograph's forms with as much grain as cameras leave. */
function grainyPhoto(width: number, height: number): Picture {
  const picture = photoPicture(width, height, 3);
  const random = seededRandom(4);
  for (let i = 0; i < picture.pixels.length; i++) {
    if ((i & 3) !== 3) picture.pixels[i] = Math.max(0, Math.min(255, picture.pixels[i]! + random() * 12 - 6));
  }
  return picture;
}

describe('JPEG encoding cost', () => {
  it('is never less than what is held for an output of that size, and at most a quarter and a page more', async () => {
    const picture = grainyPhoto(1200, 800);
    for (const quality of [30, 75, 92]) {
      const sampling = samplingFor(quality);
      const { held, output } = await counted(picture, quality);
      const predicted = encodingBytes(picture, sampling, quality, output);
      expect(predicted).toBeGreaterThanOrEqual(held);
      expect(predicted).toBeLessThanOrEqual(held * 1.25 + PAGE_BYTES);
    }
  });

  it('counts chroma that is asked to be whole as longer below quality 90, and covers what is held', async () => {
    const picture = grainyPhoto(1200, 800);
    const size = { width: 1200, height: 800, chroma: 'whole' as const };
    for (const quality of [30, 75]) {
      const longer = predictedOutputBytes(size, quality) / predictedOutputBytes(picture, quality);
      expect(longer).toBeGreaterThan(1.1);
      const { held, output } = await counted(picture, quality, 'whole');
      const predicted = encodingBytes(size, JpegSampling.full, quality, output);
      expect(predicted).toBeGreaterThanOrEqual(held);
      expect(predicted).toBeLessThanOrEqual(held * 1.25);
    }
  });

  it('counts of a writer what the core says, asked once or again', () => {
    using core = createCore();
    for (const _ of ['asked', 'remembered']) {
      for (const width of [1, 7, 100, 4000, 65_535]) {
        for (const sampling of [JpegSampling.grey, JpegSampling.full, JpegSampling.halved]) {
          for (const quality of [30, 90]) {
            const size = { width, height: 300 };
            const said = core.exports.jpegEncodeBytes(width, sampling, tokenBytes(size, quality));
            expect(writerBytes(size, sampling, quality)).toBe(said);
          }
        }
      }
    }
  });

  it('covers a picture that turns out to need 4:4:4', async () => {
    // Noise in whose stripes the colours change too sharply to be halved.
    const picture = grainyPhoto(1600, 1200);
    for (let i = 0; i < picture.pixels.length; i += 4) {
      if (i % 640 < 8) picture.pixels.set(i % 16 < 8 ? [255, 0, 0] : [0, 0, 255], i);
    }
    for (const quality of [30, 50, 80]) {
      const { held, output } = await counted(picture, quality);
      const halved = encodingBytes(picture, JpegSampling.halved, quality, output);
      const cost = totalBytes(jpegEncoder.cost(picture, quality, output));
      expect(cost).toBeGreaterThanOrEqual(halved);
      expect(cost).toBeGreaterThanOrEqual(held);
    }
  });

  it('stays within the token budget however large the picture', () => {
    const size = { width: 8160, height: 6120 };
    const output = predictedOutputBytes(size, 92);
    expect(encodingBytes(size, JpegSampling.full, 92, output)).toBeLessThan(
      output + TOKEN_BUDGET + (2 << 20),
    );
  });

  it('grows with quality without a gap', () => {
    const size = { width: 1000, height: 1000 };
    for (let quality = 30; quality < 100; quality++) {
      expect(predictedOutputBytes(size, quality + 1)).toBeGreaterThan(predictedOutputBytes(size, quality));
    }
  });
});
