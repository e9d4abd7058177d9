import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { resize } from '../../src/pixels/resize.ts';
import { noisePicture, type Picture, photoPicture, rasterOf, readPicture } from '../fixtures/raster.ts';

async function bySharp({ width, height, pixels }: Picture, to: { width: number; height: number }) {
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .resize({ ...to, fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer();
}

/** Mean and largest difference a channel. */
function difference(a: Uint8Array, b: Uint8Array) {
  let sum = 0;
  let most = 0;
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i]! - b[i]!);
    sum += d;
    most = Math.max(most, d);
  }
  return { mean: sum / a.length, most };
}

describe('Lanczos-3 resize against sharp', () => {
  it.each([
    [300, 200, 150, 100],
    [400, 300, 97, 73],
    [333, 222, 320, 213],
    [640, 480, 40, 30],
  ])('%i × %i → %i × %i: a photograph within rounding', async (width, height, toWidth, toHeight) => {
    const picture = photoPicture(width, height, 7);
    const to = { width: toWidth, height: toHeight };
    const ours = readPicture(resize(rasterOf(picture, 13), to)).pixels;
    const { mean, most } = difference(ours, await bySharp(picture, to));
    // sharp first averages by whole factors, then applies the kernel, so the last levels differ.
    expect(mean).toBeLessThan(0.8);
    expect(most).toBeLessThanOrEqual(12);
  });

  it('never falls to nearest neighbour: noise is averaged as sharp does', async () => {
    const picture = noisePicture(256, 256, 5);
    const to = { width: 32, height: 32 };
    const ours = readPicture(resize(rasterOf(picture), to)).pixels;
    const theirs = await bySharp(picture, to);
    const spread = (pixels: Uint8Array) => {
      const reds = [...pixels].filter((_, i) => i % 4 === 0);
      const mean = reds.reduce((a, b) => a + b) / reds.length;
      return Math.sqrt(reds.reduce((sum, red) => sum + (red - mean) ** 2, 0) / reds.length);
    };
    expect(spread(ours)).toBeLessThan(spread(theirs) * 1.5);
    expect(spread(ours)).toBeGreaterThan(spread(theirs) * 0.6);
  });
});
