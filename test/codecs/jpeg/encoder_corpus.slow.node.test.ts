import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import { encodingBytes } from '../../../src/codecs/jpeg/encoder_cost.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { outputBufferBytes } from '../../../src/memory/output_buffer.ts';
import { corpusBytes, corpusPresent } from '../../fixtures/corpus.ts';
import type { Picture } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import { counted, samplingFor } from './counted_encoding.ts';
import { encoded, expectReadAlike, expectShorter } from './encoder_quality.ts';

const QUALITIES = [50, 75, 92, 100];
/** Photographs of all kinds, 0.1 to 8 megapixels. */
const PHOTOGRAPHS = [
  'nofaces/scikit-image__coffee.png',
  'nofaces/dlib__dogs.jpg',
  'nofaces/sharp__concert.jpg',
  'faces/dlib__2008_002079.jpg',
  'faces/face-api.js__bbt1.jpg',
  'faces/face_recognition__obama1.jpg',
  'jpeg-camera/metadata-extractor-images__Trust_PowerCam_Zoom_LCD_710.JPG',
  'jpeg-camera/metadata-extractor-images__Apple_iPhone_6.jpg',
];

describe.runIf(corpusPresent).each(PHOTOGRAPHS)('JPEG encoder on %s', (file) => {
  let picture: Picture;
  beforeAll(async () => {
    // Shrunk, so that nothing is left of the blocks they were stored in.
    const source = sharp(corpusBytes({ file }));
    const { width = 0 } = await source.metadata();
    picture = await readBySharp(
      await source
        .resize(Math.round(width * 0.81))
        .png()
        .toBuffer(),
    );
  });

  it('is shorter than libjpeg-turbo at equal quality', async () => {
    // The largest takes a second a quality, most of it the reference.
    const qualities = picture.width > 2000 ? [92] : QUALITIES;
    for (const quality of qualities) {
      await expectShorter(picture, quality);
      await expectReadAlike(await encoded(picture, quality));
    }
  });

  it('costs no more than predicted, output included, and a quarter less at most', async () => {
    for (const quality of [50, 92]) {
      const sampling = samplingFor(quality);
      const { held, output } = await counted(picture, quality);
      expect(totalBytes(jpegEncoder.cost(picture, quality))).toBeGreaterThanOrEqual(held);
      const predicted = encodingBytes(picture, sampling, quality, output);
      expect(predicted).toBeGreaterThanOrEqual(held);
      // The pages that an output begins with are counted beside its bytes.
      expect(predicted).toBeLessThanOrEqual(held * 1.25 + outputBufferBytes(0));
    }
  });
});
