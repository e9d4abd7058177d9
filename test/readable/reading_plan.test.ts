import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputSize } from '../../src/faces/tensor.ts';
import { planReading } from '../../src/readable/reading_plan.ts';

describe('where text is looked for', () => {
  it('is all of a picture, few enough pixels of it, and no smaller than 0.8 unless a strip', () => {
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
        if (!isStrip) expect(fine.width).toBeGreaterThanOrEqual(0.8 * width - 1);
        expect(Math.abs(fine.width * height - fine.height * width)).toBeLessThanOrEqual(
          Math.max(width, height),
        );
        const shown = inputSize(fine);
        expect(shown.width * shown.height).toBeLessThanOrEqual(60e6);
        expect(shown.width).toBeLessThanOrEqual(16_000);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('shows a picture of 6 megapixels as it is', () => {
    expect(planReading({ width: 3000, height: 2000 }).fine).toEqual({ width: 3000, height: 2000 });
  });
});
