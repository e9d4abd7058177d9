import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { openImage } from '../../src/sanitize/open_image.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { photoPicture } from '../fixtures/pictures.ts';
import { resizeQuality } from '../fixtures/resize_quality.ts';

/** Decibels that a source read smaller may cost; camera photos lose less (docs/benchmarks.md). */
const TOLERANCE = 0.15;
const WIDTH = 1203;
const HEIGHT = 901;

const raw = () => {
  const { pixels } = photoPicture(WIDTH, HEIGHT, 5);
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } }).removeAlpha();
};

const photo = async (options: JpegOptions) =>
  new Uint8Array(
    await raw()
      .jpeg({ quality: 90, ...options })
      .toBuffer(),
  );

describe('a JPEG made smaller', () => {
  // Read to five, three and two eighths, none of which the width is a multiple of.
  it.each([
    [480, 5],
    [240, 3],
    [100, 2],
  ] as const)('to %i pixels, from %i eighths, is as good as from all its pixels', async (width, eighths) => {
    for (const options of [{}, { chromaSubsampling: '4:4:4' }, { progressive: true }]) {
      const file = await photo(options);
      const want = { minWidth: Math.ceil(width * 1.5), forResizing: true };
      const time = { spend: () => undefined, announce() {}, perPixel: () => uninterrupted };
      using image = await openImage(file, scan(file)!, want, time);
      expect(image.factor).toBe(8 / eighths);
      const { job, atFullSize } = await resizeQuality(file, width);
      expect(job, JSON.stringify(options)).toBeGreaterThan(atFullSize - TOLERANCE);
    }
  });
});

describe('a PNG made smaller', () => {
  it('is as good from averages of its pixels as from all of them', async () => {
    const file = new Uint8Array(await raw().png({ compressionLevel: 1 }).toBuffer());
    // Averages of 2 × 2, 2 × 2 and 6 × 6.
    for (const width of [240, 150, 75]) {
      const { job, atFullSize } = await resizeQuality(file, width);
      expect(job, `${width} pixels`).toBeGreaterThan(atFullSize - TOLERANCE);
    }
  });
});
