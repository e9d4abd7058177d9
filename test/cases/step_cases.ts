import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Raster } from '../../src/codecs/types.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

/**
 * What every pixel step must keep, whatever it does. `make` builds it over a source of at least 1 × 1 pixels.
 */
export function stepCases(make: (source: Raster) => Raster): void {
  const sizes = fc.record({
    width: fc.integer({ min: 1, max: 37 }),
    height: fc.integer({ min: 1, max: 41 }),
    seed: fc.integer({ min: 0, max: 2 ** 31 }),
    alpha: fc.constantFrom('opaque' as const, 'any' as const),
    heights: fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 1, maxLength: 5 }),
  });

  it('gives the same bytes whatever the strip height', () => {
    fc.assert(
      fc.property(sizes, ({ width, height, seed, alpha, heights }) => {
        const picture = noisePicture(width, height, seed, alpha);
        const whole = readPicture(make(rasterOf(picture, height)));
        const cut = readPicture(make(rasterOf(picture, heights)));
        expect(cut).toEqual(whole);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('can be read again, also after leaving early, and has the traits it states', () => {
    fc.assert(
      fc.property(sizes, ({ width, height, seed, alpha, heights }) => {
        const raster = make(rasterOf(noisePicture(width, height, seed, alpha), heights));
        const first = readPicture(raster);
        for (const _ of raster.strips()) break;
        expect(readPicture(raster)).toEqual(first);
        const words = new Uint32Array(first.pixels.buffer);
        if (raster.opaque) expect(words.every((word) => word >>> 24 === 255)).toBe(true);
        if (raster.grey) {
          expect(
            words.every((w) => (w & 255) === ((w >>> 8) & 255) && (w & 255) === ((w >>> 16) & 255)),
          ).toBe(true);
        }
      }),
      { numRuns: 30, seed: 2 },
    );
  });
}
