import { describe, expect, it } from 'vitest';
import { grayscale, greyPixels, LUMA_BLUE, LUMA_GREEN, LUMA_RED } from '../../src/pixels/grayscale.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

describe('grayscale', () => {
  stepCases(grayscale);

  it('is Rec. 601 luma to the nearest level, alpha kept', () => {
    const { pixels } = noisePicture(50, 40, 9, 'any');
    const before = pixels.slice();
    greyPixels(pixels);
    for (let i = 0; i < pixels.length; i += 4) {
      const luma = 0.299 * before[i]! + 0.587 * before[i + 1]! + 0.114 * before[i + 2]!;
      expect(Math.abs(pixels[i]! - luma)).toBeLessThanOrEqual(0.51);
      expect(pixels[i + 1]).toBe(pixels[i]);
      expect(pixels[i + 2]).toBe(pixels[i]);
      expect(pixels[i + 3]).toBe(before[i + 3]);
    }
  });

  it('keeps white white, black black and every grey its own', () => {
    expect(LUMA_RED + LUMA_GREEN + LUMA_BLUE).toBe(65536);
    for (let level = 0; level < 256; level++) {
      const pixel = Uint8Array.of(level, level, level, 255);
      greyPixels(pixel);
      expect([...pixel]).toEqual([level, level, level, 255]);
    }
  });

  it('does nothing to what is grey already', () => {
    const source = rasterOf({ width: 1, height: 1, pixels: Uint8Array.of(7, 7, 7, 255) });
    expect(grayscale(source)).toBe(source);
    expect(readPicture(grayscale(rasterOf(noisePicture(3, 3, 1)))).pixels.length).toBe(36);
  });
});
