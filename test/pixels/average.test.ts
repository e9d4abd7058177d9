import { describe, expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { allocatedBytes } from '../../src/core/sizes.ts';
import { average, averageCost } from '../../src/pixels/average.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, type Picture, rasterOf, readPicture, SLACK } from '../fixtures/raster.ts';

/** The means of opaque pixels, one box after the other. */
function means({ width, height, pixels }: Picture, across: number, down: number): number[] {
  const all: number[] = [];
  for (let top = 0; top < height; top += down) {
    for (let left = 0; left < width; left += across) {
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        let count = 0;
        for (let y = top; y < Math.min(height, top + down); y++) {
          for (let x = left; x < Math.min(width, left + across); x++, count++)
            sum += pixels[(y * width + x) * 4 + channel]!;
        }
        all.push(Math.floor(sum / count + 0.5));
      }
    }
  }
  return all;
}

describe('averaging boxes', () => {
  stepCases((source) => average(source, { width: 3, height: 2 }));

  it.each([
    [2, 2],
    [3, 3],
    [5, 4],
    [1, 7],
    [16, 1],
    [256, 256],
  ])('of %i × %i gives their means, of those at the edges too', (width, height) => {
    for (const [columns, lines] of [
      [64, 48],
      [37, 29],
      [1, 1],
      [515, 261],
    ] as const) {
      const picture = noisePicture(columns, lines, 3, 'opaque');
      const { pixels } = readPicture(average(rasterOf(picture, 5), { width, height }));
      expect([...pixels]).toEqual(means(picture, width, height));
    }
  });

  it('of white is white: sums of the largest boxes do not run over', () => {
    const pixels = new Uint8Array(512 * 257 * 4).fill(255);
    const { pixels: white } = readPicture(
      average(rasterOf({ width: 512, height: 257, pixels }), { width: 256, height: 256 }),
    );
    expect(white.every((value) => value === 255)).toBe(true);
  });

  it('weighs colours by their alpha', () => {
    const pixels = Uint8Array.from([255, 0, 0, 255, 0, 255, 0, 0, 255, 0, 0, 255, 0, 255, 0, 0]);
    const { pixels: mean } = readPicture(
      average(rasterOf({ width: 2, height: 2, pixels }), { width: 2, height: 2 }),
    );
    expect([...mean]).toEqual([128, 0, 0, 128]);
  });

  it('reserves what is predicted, and frees it with the read', () => {
    using core = createCore();
    const before = core.exports.mark();
    const source = rasterOf(noisePicture(300, 40, 7, 'opaque'), 3, core);
    const rows = allocatedBytes(3 * 300 * 4 + SLACK);
    for (const _ of average(source, { width: 3, height: 3 }).strips()) {
      expect(core.exports.mark() - before).toBe(averageCost(300, 100) + rows);
      break;
    }
    expect(core.exports.mark()).toBe(before);
  });
});
