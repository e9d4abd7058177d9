import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, bottom, right, type Size } from '../../../src/playground/geometry.ts';
import {
  type CropRatio,
  cropRatios,
  drawnToRatio,
  fittedToRatio,
  largestCrop,
  ratioOf,
  resizedToRatio,
} from '../../../src/playground/stage/crop_ratio.ts';

const side = fc.integer({ min: 200, max: 4000 });
const frame = fc.record({ width: side, height: side });
const held = fc.constantFrom(...cropRatios.filter((name) => name !== 'free'));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const edge = fc.constantFrom(-1 as const, 0 as const, 1 as const);

/** In whole pixels inside the frame, with the ratio but for the rounding of one side. */
function expectFits(box: Box, ratio: number, { width, height }: Size): void {
  for (const value of [box.x, box.y, box.w, box.h]) expect(Number.isInteger(value)).toBe(true);
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(right(box)).toBeLessThanOrEqual(width);
  expect(bottom(box)).toBeLessThanOrEqual(height);
  // No side is shorter than a pixel.
  if (box.w > 1 && box.h > 1)
    expect(Math.abs(box.h - box.w / ratio)).toBeLessThanOrEqual(0.5 + 0.5 / ratio + 1e-6);
}

const partOf = ({ width, height }: Size, [x, y, w, h]: readonly number[]): Box => ({
  x: x! * (width - 50),
  y: y! * (height - 50),
  w: 50 + w! * (width - 50 - x! * (width - 50)),
  h: 50 + h! * (height - 50 - y! * (height - 50)),
});

describe('crop ratios', () => {
  it('are width to height, of the photo, or none', () => {
    const size = { width: 300, height: 200 };
    expect(ratioOf('free', size)).toBeNull();
    expect(ratioOf('photo', size)).toBe(1.5);
    expect(ratioOf('4:5', size)).toBe(0.8);
    expect(largestCrop(1, size)).toEqual({ x: 50, y: 0, w: 200, h: 200 });
    expect(fittedToRatio({ x: 10, y: 10, w: 100, h: 40 }, 1, size)).toEqual({ x: 40, y: 10, w: 40, h: 40 });
    expect(drawnToRatio({ x: 100, y: 100 }, { x: 40, y: 90 }, 2, size)).toEqual({
      x: 40,
      y: 70,
      w: 60,
      h: 30,
    });
  });

  it('hold for every box that is fitted, drawn or resized, inside the frame', () => {
    fc.assert(
      fc.property(
        frame,
        held,
        fc.tuple(share, share, share, share),
        fc.tuple(edge, edge),
        fc.tuple(share, share),
        (size, name: CropRatio, part, [horizontal, vertical], [dx, dy]) => {
          const ratio = ratioOf(name, size)!;
          const start = fittedToRatio(partOf(size, part), ratio, size);
          expectFits(start, ratio, size);
          expectFits(largestCrop(ratio, size), ratio, size);
          const from = { x: part[0] * size.width, y: part[1] * size.height };
          const to = { x: part[2] * size.width, y: part[3] * size.height };
          expectFits(drawnToRatio(from, to, ratio, size), ratio, size);
          fc.pre(horizontal !== 0 || vertical !== 0);
          const moves = [(dx - 0.5) * 2 * size.width, (dy - 0.5) * 2 * size.height] as const;
          const resized = resizedToRatio(start, { horizontal, vertical }, ...moves, ratio, size);
          expectFits(resized, ratio, size);
          // The edge opposite of the handle stays, but for rounding.
          if (horizontal > 0) expect(resized.x).toBe(start.x);
          if (horizontal < 0) expect(right(resized)).toBe(right(start));
          if (vertical > 0) expect(resized.y).toBe(start.y);
          if (vertical < 0) expect(bottom(resized)).toBe(bottom(start));
        },
      ),
      { seed: 25, numRuns: 300 },
    );
  });
});
