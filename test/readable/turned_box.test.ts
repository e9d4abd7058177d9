import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxOf, cornersOf, type Point, type TurnedBox } from '../../src/readable/turned_box.ts';

const areaOf = ({ long, short }: TurnedBox) => 4 * long * short;

/** The least area of a rectangle around points with a side along any line through two of them. */
function leastArea(points: readonly Point[]): number {
  let least = Infinity;
  for (const a of points) {
    for (const b of points) {
      const length = Math.hypot(b.x - a.x, b.y - a.y);
      if (length === 0) continue;
      const [u, v] = [(b.x - a.x) / length, (b.y - a.y) / length];
      const [across, down] = [
        points.map(({ x, y }) => x * u + y * v),
        points.map(({ x, y }) => y * u - x * v),
      ];
      const span = (of: number[]) => Math.max(...of) - Math.min(...of);
      least = Math.min(least, span(across) * span(down));
    }
  }
  return least;
}

/** How far a point lies outside. */
function beyond({ centre, along, long, short }: TurnedBox, { x, y }: Point): number {
  const [dx, dy] = [x - centre.x, y - centre.y];
  return Math.max(
    Math.abs(dx * along.x + dy * along.y) - long,
    Math.abs(dy * along.x - dx * along.y) - short,
  );
}

/** Corners of pixels, as maps have them. */
const points = fc
  .array(fc.record({ x: fc.integer({ min: 0, max: 40 }), y: fc.integer({ min: 0, max: 40 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pixels) =>
    pixels.flatMap(({ x, y }) => [
      { x, y },
      { x: x + 1, y },
      { x, y: y + 1 },
      { x: x + 1, y: y + 1 },
    ]),
  );

describe('the smallest turned rectangle', () => {
  it('holds all points, and none along a line through two of them is smaller', () => {
    fc.assert(
      fc.property(points, (all) => {
        const box = boxOf(all);
        for (const point of all) expect(beyond(box, point)).toBeLessThan(1e-9);
        expect(areaOf(box)).toBeCloseTo(leastArea(all), 6);
        expect(box.long).toBeGreaterThanOrEqual(box.short);
        expect(Math.hypot(box.along.x, box.along.y)).toBeCloseTo(1, 12);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('is the rectangle whose corners are given', () => {
    const angle = fc.double({ min: 0, max: Math.PI, noNaN: true });
    const side = fc.double({ min: 0.5, max: 100, noNaN: true });
    fc.assert(
      fc.property(angle, side, side, (turn, a, b) => {
        const along = { x: Math.cos(turn), y: Math.sin(turn) };
        const given = { centre: { x: 7, y: -3 }, along, long: Math.max(a, b), short: Math.min(a, b) };
        const found = boxOf(cornersOf(given));
        expect(found.long).toBeCloseTo(given.long, 6);
        expect(found.short).toBeCloseTo(given.short, 6);
        expect(found.centre.x).toBeCloseTo(7, 6);
        expect(found.centre.y).toBeCloseTo(-3, 6);
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});
