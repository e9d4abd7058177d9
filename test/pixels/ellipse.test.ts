import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Area, columnsIn, isEmpty, rectsInside, scaled } from '../../src/pixels/ellipse.ts';
import { touchedPixels } from '../../src/pixels/rect.ts';
import { nearestIn } from '../fixtures/ellipse.ts';

const image = { width: 60, height: 50 };
const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const ellipse = fc.record({
  x: real(-30, 70),
  y: real(-30, 60),
  width: real(0.01, 90),
  height: real(0.01, 90),
});

function inImage(one: { x: number; y: number; width: number; height: number }): Area | null {
  const touched = touchedPixels(one, image);
  return touched && { ...touched, ellipse: one };
}

const cell = (x: number, y: number, width = 1, height = 1) => ({ x, y, width, height });

describe('the columns of an ellipse', () => {
  it('are those of every pixel that it touches, and of none further away than rounding goes', () => {
    fc.assert(
      fc.property(ellipse, (one) => {
        const area = inImage(one);
        const slack = 0.01 / Math.min(one.width, one.height);
        for (let y = area?.y ?? 0; area && y < area.y + area.height; y++) {
          const { start, end } = columnsIn(area, y);
          for (let x = area.x; x < area.x + area.width; x++) {
            const at = nearestIn(one, cell(x, y));
            if (x >= start && x < end) expect(at).toBeLessThanOrEqual(1 + slack);
            else expect(at).toBeGreaterThan(1);
          }
          expect(start).toBeGreaterThanOrEqual(area.x);
          expect(end).toBeLessThanOrEqual(area.x + area.width);
        }
      }),
      { numRuns: 300, seed: 41 },
    );
  });

  it('of several rows are those that any of them has', () => {
    fc.assert(
      fc.property(ellipse, fc.integer({ min: 1, max: 9 }), (one, rows) => {
        const area = inImage(one);
        if (!area || area.height < rows) return;
        const each = Array.from({ length: rows }, (_, row) => columnsIn(area, area.y + row));
        const { start, end } = columnsIn(area, area.y, area.y + rows);
        expect(start).toBe(Math.min(...each.map((row) => row.start)));
        expect(end).toBe(Math.max(...each.map((row) => row.end)));
      }),
      { numRuns: 200, seed: 41 },
    );
  });

  it('are right where it is so large that numbers lose its middle', () => {
    for (const size of [1e6, 1e20, 1e300]) {
      const one = { x: 0, y: 0, width: size, height: size };
      // A circle so large crosses row 4000 at size/2 - sqrt(4000·size - 4000²): far from its corner.
      const { start, end } = columnsIn({ ...cell(0, 0, 4000, 4000), ellipse: one }, 3999);
      expect(start).toBeGreaterThanOrEqual(end);
    }
    const flat = { x: 0, y: -1e9, width: 100, height: 2e9 };
    expect(columnsIn({ ...cell(0, 0, 100, 50), ellipse: flat }, 20)).toEqual({ start: 0, end: 100 });
  });

  it('are those of the rectangle where there is no ellipse', () => {
    expect(columnsIn(cell(3, 4, 5, 6), 4)).toEqual({ start: 3, end: 8 });
  });
});

describe('an ellipse that the picture cuts', () => {
  it('is empty where no pixel of the picture is touched', () => {
    fc.assert(
      fc.property(ellipse, (one) => {
        const area = inImage(one);
        if (!area) return;
        const nearest = nearestIn(one, cell(0, 0, image.width, image.height));
        if (Math.abs(nearest - 1) > 1e-6) expect(isEmpty(area)).toBe(nearest > 1);
      }),
      { numRuns: 500, seed: 41 },
    );
    expect(isEmpty(cell(0, 0))).toBe(false);
  });
});

it('is the same in a grid of blocks', () => {
  expect(scaled({ x: 8, y: 4, width: 2, height: 1 }, 1 / 4)).toEqual({
    x: 2,
    y: 1,
    width: 0.5,
    height: 0.25,
  });
});

describe('rectangles inside', () => {
  it('lie in the ellipse and cover most of it', () => {
    fc.assert(
      fc.property(ellipse, (one) => {
        const area = { ...one, ellipse: one };
        const rects = rectsInside(area);
        const covered = rects.reduce((sum, { width, height }) => sum + width * height, 0);
        expect(covered / ((Math.PI / 4) * one.width * one.height)).toBeGreaterThan(0.85);
        for (const { x, y, width, height } of rects) {
          for (const [left, top] of [
            [x, y],
            [x + width, y],
            [x, y + height],
            [x + width, y + height],
          ]) {
            expect(nearestIn(one, cell(left!, top!, 0, 0))).toBeLessThan(1 + 1e-6);
          }
        }
      }),
      { numRuns: 100, seed: 41 },
    );
  });

  it('are the rectangle itself where there is no ellipse', () => {
    expect(rectsInside(cell(1, 2, 3, 4))).toEqual([cell(1, 2, 3, 4)]);
  });
});
