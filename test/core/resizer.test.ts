import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Raster, Size } from '../../src/codecs/types.ts';
import { createCore } from '../../src/core/instance.ts';
import { RowResizer, shrinkerBytes } from '../../src/core/resizer.ts';
import { mostTaps, shrinkFilter } from '../../src/pixels/lanczos.ts';
import { shrink } from '../../src/pixels/resize.ts';
import { heldBytesOf } from '../fixtures/held_bytes.ts';
import { noisePicture, type Picture, photoPicture, rasterOf, readPicture } from '../fixtures/raster.ts';
import { shrinkByArrays } from '../fixtures/shrink_by_arrays.ts';

/** The largest difference of colours where they can be told (alpha 16 and more), and of alpha. */
function farthest(a: Picture, b: Picture): number {
  let worst = 0;
  for (let i = 0; i < a.pixels.length; i++) {
    const seen = (i & 3) === 3 || a.pixels[i | 3]! >= 16;
    if (seen) worst = Math.max(worst, Math.abs(a.pixels[i]! - b.pixels[i]!));
  }
  return worst;
}

const both = (picture: Picture, to: Size): [Picture, Picture] => [
  readPicture(shrink(rasterOf(picture), to)),
  readPicture(shrinkByArrays(rasterOf(picture), to)),
];

describe('shrinking in the core', () => {
  it('is within one level of floating point, at any sizes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0.02, max: 1, noNaN: true }),
        fc.double({ min: 0.02, max: 1, noNaN: true }),
        fc.constantFrom('opaque', 'any'),
        (width, height, across, down, alpha) => {
          const to = {
            width: Math.max(1, Math.round(width * across)),
            height: Math.max(1, Math.round(height * down)),
          };
          const [ours, theirs] = both(noisePicture(width, height, width, alpha), to);
          expect(farthest(ours, theirs)).toBeLessThanOrEqual(1);
        },
      ),
      { seed: 4, numRuns: 200 },
    );
  });

  it('keeps an even area as it is, however many small weights are summed', () => {
    for (const [from, to] of [
      [
        { width: 301, height: 203 },
        { width: 97, height: 41 },
      ],
      [
        { width: 20_000, height: 1 },
        { width: 7, height: 1 },
      ],
    ] as const) {
      const pixels = Uint8Array.from(
        { length: from.width * from.height * 4 },
        (_, i) => [9, 254, 255, 255][i & 3]!,
      );
      const { pixels: shrunk } = readPicture(shrink(rasterOf({ ...from, pixels }), to));
      expect(shrunk.every((sample, i) => sample === pixels[i & 3])).toBe(true);
    }
  });

  it('holds what is predicted, and no more for a taller picture', () => {
    const shape = (from: Size, to: Size) => ({
      fromWidth: from.width,
      width: to.width,
      height: to.height,
      tapsAcross: mostTaps(from.width, to.width),
      tapsDown: mostTaps(from.height, to.height),
      stripRows: 16,
    });
    const from = { width: 1200, height: 900 };
    const to = { width: 500, height: 375 };
    const held = heldWhileShrinking(photoPicture(from.width, from.height), to);
    expect(shrinkerBytes(shape(from, to))).toBe(held);
    const large = shape({ width: 8160, height: 6120 }, { width: 1600, height: 1200 });
    expect(shrinkerBytes(large)).toBeLessThan(2 << 20);
  });

  it('reads rows that lie in a core, and others', () => {
    const picture = noisePicture(90, 40, 7);
    const core = createCore();
    const at = core.alloc(picture.pixels.length);
    const inCore: Raster = {
      ...rasterOf(picture),
      *strips() {
        const pixels = core.view(at, picture.pixels.length);
        pixels.set(picture.pixels);
        yield { y: 0, rows: 40, pixels };
      },
    };
    const to = { width: 30, height: 20 };
    expect(readPicture(shrink(inCore, to))).toEqual(readPicture(shrink(rasterOf(picture, 3), to)));
  });
});

/** Bytes of the memory that a shrinker's strip lies in, after use. */
function heldWhileShrinking({ width, height, pixels }: Picture, to: Size): number {
  const shape = {
    fromWidth: width,
    width: to.width,
    height: to.height,
    tapsAcross: mostTaps(width, to.width),
    tapsDown: mostTaps(height, to.height),
    stripRows: 16,
  };
  const shrinker = new RowResizer(
    undefined,
    shape,
    shrinkFilter(width, to.width),
    shrinkFilter(height, to.height),
    true,
  );
  shrinker.load(pixels.subarray(0, width * 4));
  shrinker.narrow(0, 0);
  return heldBytesOf(shrinker.strip(16));
}
