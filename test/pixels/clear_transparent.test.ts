import { describe, expect, it } from 'vitest';
import { clearTransparent } from '../../src/pixels/clear_transparent.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

describe('clearTransparent', () => {
  stepCases(clearTransparent);

  it('blanks fully transparent pixels and leaves all others unchanged', () => {
    const picture = noisePicture(31, 17, 4, 'any');
    const { pixels } = readPicture(clearTransparent(rasterOf(picture)));
    let hidden = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const transparent = picture.pixels[i + 3] === 0;
      if (transparent) hidden++;
      expect([...pixels.subarray(i, i + 4)]).toEqual(
        transparent ? [0, 0, 0, 0] : [...picture.pixels.subarray(i, i + 4)],
      );
    }
    expect(hidden).toBeGreaterThan(20);
  });

  it('returns an opaque source itself', () => {
    const source = rasterOf(noisePicture(3, 3, 1));
    expect(clearTransparent(source)).toBe(source);
  });
});
