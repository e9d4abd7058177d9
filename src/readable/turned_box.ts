import type { Component } from './components.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle that may be turned: its centre, the direction of its longer sides, and half of each side. */
export interface TurnedBox {
  readonly centre: Point;
  /** Unit vector along the longer sides. */
  readonly along: Point;
  /** Half of the longer side (`long`), and of the shorter one (`short`). */
  readonly long: number;
  readonly short: number;
}

/** The smallest rectangle, possibly turned, that contains all pixels of a component completely. */
export const boxAround = ({ runs }: Component): TurnedBox =>
  boxOf(
    runs.flatMap(({ row, start, end }) => [
      { x: start, y: row },
      { x: end, y: row },
      { x: start, y: row + 1 },
      { x: end, y: row + 1 },
    ]),
  );

/**
 * The smallest rectangle around points that are not all on one line. One of its sides lies on a side of their
 * convex hull (Freeman, Shapira: Determining the minimum-area encasing rectangle, 1975).
 */
export function boxOf(points: readonly Point[]): TurnedBox {
  const hull = convexHull(points);
  let best: (TurnedBox & { readonly area: number }) | undefined;
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length]!;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y } of hull) {
      const across = x * along.x + y * along.y;
      const down = y * along.x - x * along.y;
      left = Math.min(left, across);
      right = Math.max(right, across);
      top = Math.min(top, down);
      bottom = Math.max(bottom, down);
    }
    const area = (right - left) * (bottom - top);
    if (best && area >= best.area) continue;
    const [u, v] = [(left + right) / 2, (top + bottom) / 2];
    const centre = { x: u * along.x - v * along.y, y: u * along.y + v * along.x };
    const [wide, high] = [(right - left) / 2, (bottom - top) / 2];
    best =
      wide >= high
        ? { centre, along, long: wide, short: high, area }
        : { centre, along: { x: -along.y, y: along.x }, long: high, short: wide, area };
  }
  const { area: _area, ...box } = best!;
  return box;
}

/** The corners of the convex hull, in cyclic order (Andrew's monotone chain, 1979). */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const chain = (ordered: readonly Point[]) => {
    const kept: Point[] = [];
    for (const point of ordered) {
      while (kept.length > 1 && !turnsLeft(kept.at(-2)!, kept.at(-1)!, point)) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

const turnsLeft = (a: Point, b: Point, c: Point) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;

/** Its corners, in cyclic order. */
export function cornersOf({ centre, along, long, short }: TurnedBox): readonly Point[] {
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([u, v]) => ({
    x: centre.x + u! * long * along.x - v! * short * along.y,
    y: centre.y + u! * long * along.y + v! * short * along.x,
  }));
}
