import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Size } from '../../../src/codecs/types.ts';
import { createCore } from '../../../src/core/instance.ts';
import { RowResizer, resizerBytes } from '../../../src/core/kernels/resizer.ts';
import { maxTaps } from '../../../src/pixels/lanczos.ts';
import { resize } from '../../../src/pixels/resize.ts';
import { noisePicture, type Picture, rasterOf, readPicture } from '../../fixtures/raster.ts';
import { allTaps, clamped, resizedInFloats } from '../../fixtures/resized_in_floats.ts';

/** The largest difference of colours where they can be told (alpha 16 and more), and of alpha. */
function farthestFromFloats({ pixels, ...from }: Picture, to: Size): number {
  const found = readPicture(resize(rasterOf({ ...from, pixels }), to)).pixels;
  const sampleAt = (x: number, y: number, channel: number) => pixels[(y * from.width + x) * 4 + channel]!;
  const alphas = resizedInFloats((x, y) => sampleAt(x, y, 3), from, to);
  let worst = 0;
  for (const channel of [0, 1, 2]) {
    // Transparent pixels lend no colour to their neighbours.
    const lent = (x: number, y: number) => Math.round((sampleAt(x, y, channel) * sampleAt(x, y, 3)) / 255);
    const colours = resizedInFloats(lent, from, to);
    colours.forEach((colour, i) => {
      const [ours, alpha] = [found[i * 4 + channel]!, found[i * 4 + 3]!];
      worst = Math.max(worst, Math.abs(alpha - clamped(alphas[i]!)));
      if (alpha >= 16) worst = Math.max(worst, Math.abs(ours - clamped((colour * 255) / alphas[i]!)));
    });
  }
  return worst;
}

describe('shrinking in the core', () => {
  it('is within one level of floating point, at any sizes that are not averaged before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0.3, max: 1, noNaN: true }),
        fc.double({ min: 0.3, max: 1, noNaN: true }),
        fc.constantFrom('opaque', 'any'),
        (width, height, across, down, alpha) => {
          const to = {
            width: Math.max(1, Math.round(width * across)),
            height: Math.max(1, Math.round(height * down)),
          };
          fc.pre(width < 4 * to.width && height < 4 * to.height);
          fc.pre(width > to.width || height > to.height);
          expect(farthestFromFloats(noisePicture(width, height, width, alpha), to)).toBeLessThan(1.5);
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
      const { pixels: shrunk } = readPicture(resize(rasterOf({ ...from, pixels }), to));
      expect(shrunk.every((sample, i) => sample === pixels[i & 3])).toBe(true);
    }
  });

  it('holds what is predicted, and no more for a taller picture', () => {
    const shape = (from: Size, to: Size) => ({
      fromWidth: from.width,
      width: to.width,
      tapsAcross: maxTaps(from.width, to.width),
      tapsDown: maxTaps(from.height, to.height),
      stripRows: 16,
    });
    const from = { width: 1200, height: 900 };
    const to = { width: 500, height: 375 };
    using core = createCore();
    const before = core.exports.mark();
    const across = allTaps(from.width, to.width);
    using _resizer = new RowResizer(core, shape(from, to), across, {
      opaque: true,
      isPremultiplied: true,
    });
    expect(resizerBytes(shape(from, to))).toBe(core.exports.mark() - before);
    const large = shape({ width: 8160, height: 6120 }, { width: 1600, height: 1200 });
    expect(resizerBytes(large)).toBeLessThan(2 << 20);
  });

  it('frees its memory with the read, left early or not', () => {
    using core = createCore();
    const before = core.exports.mark();
    const resized = resize(rasterOf(noisePicture(90, 40, 7), 3, core), { width: 30, height: 20 });
    readPicture(resized);
    expect(core.exports.mark()).toBe(before);
    for (const _ of resized.strips()) break;
    expect(core.exports.mark()).toBe(before);
  });
});
