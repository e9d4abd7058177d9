import { describe, expect, it } from 'vitest';
import { grayscale } from '../../src/pixels/grayscale.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

describe('grayscale', () => {
  stepCases(grayscale);

  it('is Rec. 601 luma to the nearest level, alpha kept', () => {
    const picture = noisePicture(50, 40, 9, 'any');
    const before = picture.pixels;
    const { pixels } = readPicture(grayscale(rasterOf(picture)));
    for (let i = 0; i < pixels.length; i += 4) {
      const luma = 0.299 * before[i]! + 0.587 * before[i + 1]! + 0.114 * before[i + 2]!;
      expect(Math.abs(pixels[i]! - luma)).toBeLessThanOrEqual(0.51);
      expect(pixels[i + 1]).toBe(pixels[i]);
      expect(pixels[i + 2]).toBe(pixels[i]);
      expect(pixels[i + 3]).toBe(before[i + 3]);
    }
  });

  it('keeps every grey level as it is', () => {
    // Not grey throughout: the first pixel has a colour.
    const levels = Array.from({ length: 256 }, (_, level) => [level, level, level, 255]).flat();
    const source = rasterOf({ width: 257, height: 1, pixels: Uint8Array.of(255, 0, 0, 255, ...levels) });
    expect([...readPicture(grayscale(source)).pixels.subarray(4)]).toEqual(levels);
  });

  it('returns a grey source itself', () => {
    const source = rasterOf({ width: 1, height: 1, pixels: Uint8Array.of(7, 7, 7, 255) });
    expect(grayscale(source)).toBe(source);
    expect(readPicture(grayscale(rasterOf(noisePicture(3, 3, 1)))).pixels.length).toBe(36);
  });
});
