import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostTiles, planReading, tileOverlap } from '../../src/readable/reading_plan.ts';

describe('where text is looked for', () => {
  it('is all of a picture, in tiles that overlap, few enough, and no smaller than 0.8 unless a strip', () => {
    const side = fc.integer({ min: 1, max: 65_000 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        fc.pre(width * height <= 50e6);
        const { whole, small, fine } = planReading({ width, height });
        expect(Math.max(whole.width, whole.height)).toBeLessThanOrEqual(fine ? 640 : 960);
        expect(small !== undefined).toBe(Math.max(width, height) >= 480);
        if (small) expect(Math.max(small.width, small.height)).toBe(320);
        if (!fine) {
          expect(whole).toEqual({ width, height });
          return;
        }
        const isStrip = Math.max(width, height) > 8 * Math.min(width, height);
        if (!isStrip) expect(fine.size.width).toBeGreaterThanOrEqual(0.8 * width - 1);
        const { size, tile, lefts, tops } = fine;
        expect(lefts.length * tops.length).toBeLessThanOrEqual(mostTiles);
        expect(lefts.length * tops.length * tile.width * tile.height).toBeLessThan(60e6);
        expect(size.width * tile.height).toBeLessThan(10e6);
        for (const [starts, length, part] of [
          [lefts, size.width, tile.width],
          [tops, size.height, tile.height],
        ] as const) {
          expect(part % 32).toBe(0);
          expect(starts[0]).toBe(0);
          expect(starts.at(-1)! + part).toBeGreaterThanOrEqual(length);
          for (const [index, start] of starts.slice(1).entries())
            expect(starts[index]! + part - start).toBeGreaterThanOrEqual(tileOverlap - 1);
        }
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('shows a picture of 6 megapixels as it is', () => {
    expect(planReading({ width: 3000, height: 2000 }).fine!.size).toEqual({ width: 3000, height: 2000 });
  });
});
