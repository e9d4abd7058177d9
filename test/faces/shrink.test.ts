import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DetectorMemory } from '../../src/faces/detector_memory.ts';
import { Shrinker } from '../../src/faces/shrink.ts';
import { noisePicture, type Picture } from '../fixtures/raster.ts';

function shrink({ width, height, pixels }: Picture, to: { width: number; height: number }, opaque: boolean) {
  const rows: number[][] = [];
  using memory = DetectorMemory.open(Shrinker.cost({ width, height }, to));
  const shrinker = new Shrinker({ width, height }, to, 4, (row, y) => (rows[y] = [...row]), opaque, memory);
  for (let y = 0; y < height; y++) shrinker.push(pixels, y * width * 4);
  return rows.flat();
}

/**
 * The mean of the source area under every target pixel, straight from its definition, alpha laid on white
 * first.
 */
function naive({ width, height, pixels }: Picture, to: { width: number; height: number }): number[] {
  const share = (pixel: number, from: number, until: number) =>
    Math.max(0, Math.min(pixel + 1, until) - Math.max(pixel, from));
  const out: number[] = [];
  for (let ty = 0; ty < to.height; ty++) {
    for (let tx = 0; tx < to.width; tx++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let y = 0; y < height; y++) {
          const down = share(y, (ty * height) / to.height, ((ty + 1) * height) / to.height);
          if (down === 0) continue;
          for (let x = 0; x < width; x++) {
            const at = (y * width + x) * 4;
            const alpha = pixels[at + 3]! / 255;
            const across = share(x, (tx * width) / to.width, ((tx + 1) * width) / to.width);
            sum += down * across * (pixels[at + c]! * alpha + 255 * (1 - alpha));
          }
        }
        out.push((sum * to.width * to.height) / (width * height));
      }
    }
  }
  return out;
}

describe('Shrinker', () => {
  it.each(['opaque', 'any'] as const)('means the source area under every pixel (%s alpha)', (alpha) => {
    const side = fc.integer({ min: 1, max: 24 });
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(side, side, part, part, fc.integer(), (width, height, a, b, seed) => {
        const picture = noisePicture(width, height, seed, alpha);
        const to = { width: Math.max(1, Math.round(width * a)), height: Math.max(1, Math.round(height * b)) };
        const ours = shrink(picture, to, alpha === 'opaque');
        const theirs = naive(picture, to);
        expect(ours.length).toBe(theirs.length);
        // Laying on white rounds once, shrinking once more.
        for (const [i, value] of ours.entries()) expect(Math.abs(value - theirs[i]!)).toBeLessThan(1.02);
      }),
      { seed: 3, numRuns: 150 },
    );
  });

  it('passes a picture of the same size unchanged, 3 channels as well as 4', () => {
    const { pixels, width, height } = noisePicture(9, 7, 1);
    const rgb = pixels.filter((_, i) => i % 4 < 3);
    expect(shrink({ pixels, width, height }, { width, height }, true)).toEqual([...rgb]);
    const rows: number[] = [];
    const size = { width, height };
    using memory = DetectorMemory.open(Shrinker.cost(size, size));
    const shrinker = new Shrinker(size, size, 3, (row) => rows.push(...row), true, memory);
    for (let y = 0; y < height; y++) shrinker.push(rgb, y * width * 3);
    expect(rows).toEqual([...rgb]);
  });

  it('shows white where a picture is wholly transparent, whatever colours hide there', () => {
    const picture = noisePicture(6, 6, 4);
    for (let i = 3; i < picture.pixels.length; i += 4) picture.pixels[i] = 0;
    expect(new Set(shrink(picture, { width: 3, height: 2 }, false))).toEqual(new Set([255]));
  });
});
