import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Size } from '../../src/codecs/types.ts';
import {
  crowdLimits,
  type DetectionPlan,
  enlargedLimits,
  fineLimits,
  halfSide,
  minGain,
  passSide,
  planDetection,
  smallSide,
  tileOverlap,
  tinySide,
} from '../../src/faces/detection_plan.ts';

const side = fc.oneof(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 50_000 }));

/** One of the plan's tilings of a picture of this size, if it has that, and its limits. */
const pick = ({ fine, enlarged, crowd }: DetectionPlan, size: Size, which: number) =>
  (
    [
      [fine, fineLimits],
      [enlarged, enlargedLimits],
      [crowd, crowdLimits(size)],
    ] as const
  )[which]!;

describe('planDetection', () => {
  it('covers every pixel with tiles that keep to their limits, overlap and lie in the picture', () => {
    fc.assert(
      fc.property(side, side, fc.nat(2), (width, height, which) => {
        const plan = planDetection({ width, height });
        if (!plan.fine) expect(plan.enlarged).toBeDefined();
        expect(plan.enlarged && plan.crowd).toBeUndefined();
        const [fine, limits] = pick(plan, { width, height }, which);
        if (!fine) return;
        const { tile, size } = fine;
        const count = fine.lefts.length * fine.tops.length;
        expect(count).toBeLessThanOrEqual(limits.tiles);
        expect(tile.width * tile.height).toBeLessThanOrEqual(passSide ** 2);
        expect(count * tile.width * tile.height).toBeLessThanOrEqual(limits.passes * passSide ** 2);
        expect(size.width).toBeLessThanOrEqual(Math.round(width * limits.scale));
        expect(size.height).toBeLessThanOrEqual(Math.round(height * limits.scale));
        for (const [starts, length, extent] of [
          [fine.lefts, size.width, tile.width],
          [fine.tops, size.height, tile.height],
        ] as const) {
          expect(extent % 32).toBe(0);
          expect(starts[0]).toBe(0);
          expect(starts.at(-1)! + extent).toBeGreaterThanOrEqual(length);
          for (const [index, start] of starts.entries()) {
            expect(start).toBeLessThan(length);
            // 2 pixels are rounding: of the shrunk size and of the starts.
            if (index > 0)
              expect(starts[index - 1]! + extent - start).toBeGreaterThanOrEqual(tileOverlap - 2);
          }
        }
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('has two whole-image passes for large pictures, tiles only at a finer scale, and keeps the aspect', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const { whole, small, tiny, half, fine } = planDetection({ width, height });
        expect(Math.max(half!.width, half!.height)).toBe(Math.min(halfSide, Math.max(width, height)));
        expect(Math.max(whole.width, whole.height)).toBe(Math.min(passSide, Math.max(width, height)));
        if (tiny) expect(Math.max(tiny.width, tiny.height)).toBe(tinySide);
        if (small) expect(Math.max(small.width, small.height)).toBe(smallSide);
        else expect(Math.max(width, height)).toBeLessThanOrEqual(smallSide * minGain + 1);
        if (Math.max(width, height) <= passSide) expect(fine).toBeUndefined();
        for (const view of [whole, fine?.size ?? whole]) {
          if (Math.min(view.width, view.height) < 20) continue;
          expect(view.width / view.height / (width / height)).toBeCloseTo(1, 1);
        }
      }),
      { seed: 9, numRuns: 500 },
    );
  });

  it('shows 12 megapixels at 0.42 and 2 megapixels as they are, and enlarges what is small', () => {
    expect(planDetection({ width: 4000, height: 3000 }).fine!.size.width).toBeGreaterThanOrEqual(1680);
    expect(planDetection({ width: 640, height: 480 }).enlarged!.size).toEqual({ width: 960, height: 720 });
    const megapixel = planDetection({ width: 1024, height: 768 });
    expect(megapixel.fine!.size).toEqual({ width: 1024, height: 768 });
    expect(megapixel.enlarged!.size).toEqual({ width: 1536, height: 1152 });
    const large = planDetection({ width: 1920, height: 1080 });
    expect(large.fine!.size).toEqual({ width: 1920, height: 1080 });
    expect(large.enlarged).toBeUndefined();
  });

  it('shows a crowd on 50 megapixels as large as on 24, and in a panorama as before', () => {
    const crowdScale = (width: number, height: number) =>
      planDetection({ width, height }).crowd!.size.width / width;
    expect(crowdScale(8160, 6120)).toBeGreaterThanOrEqual(crowdScale(6000, 4000));
    expect(crowdScale(6120, 8160)).toBeGreaterThanOrEqual(crowdScale(6000, 4000));
    expect(crowdLimits({ width: 50_000, height: 1000 })).toEqual(crowdLimits({ width: 6000, height: 4000 }));
  });
});
