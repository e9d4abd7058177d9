import type { Size } from '../codecs/types.ts';
import type { Box, QuarterTurns } from '../faces/boxes.ts';
import { cornersOf, type Point, type TurnedBox } from './turned_box.ts';

/**
 * The corners of a turned rectangle as fractions of its bounding box, 0 to 1, so that they stay valid when
 * that box is moved or scaled.
 */
export type Outline = readonly Point[];

/** A box, and the turned rectangle in it, if it has one. */
export interface OutlinedBox extends Box {
  readonly outline?: Outline | undefined;
}

/** The corners as fractions of a box; they may lie outside of it. */
export const outlineIn = ({ x, y, w, h }: Box, corners: readonly Point[]): Outline =>
  corners.map((at) => ({ x: (at.x - x) / w, y: (at.y - y) / h }));

/** Rectangles turned by less than this count as upright: their bounds are hardly larger. 2°. */
const UPRIGHT_SINE = Math.sin((2 * Math.PI) / 180);

/** So do rectangles whose bounds have at most this times their area: short ones. */
const UPRIGHT_AREA = 1.25;

/** The box around a turned one, with its outline unless it is upright. */
export function outlined(turned: TurnedBox): OutlinedBox {
  const corners = cornersOf(turned);
  const bounds = boundsOf(corners);
  const { along, long, short } = turned;
  const isUpright =
    Math.min(Math.abs(along.x), Math.abs(along.y)) < UPRIGHT_SINE ||
    bounds.w * bounds.h <= UPRIGHT_AREA * 4 * long * short;
  if (isUpright) return bounds;
  return {
    ...bounds,
    outline: outlineIn(bounds, corners),
  };
}

/** The outline after the picture was rotated clockwise; the caller rotates the box itself. */
export function rotateOutline<B extends OutlinedBox>(box: B, turns: QuarterTurns): B {
  if (!box.outline || turns === 0) return box;
  const rotated = ({ x, y }: Point): Point =>
    turns === 2 ? { x: 1 - x, y: 1 - y } : turns === 1 ? { x: 1 - y, y: x } : { x: y, y: 1 - x };
  return { ...box, outline: box.outline.map(rotated) };
}

/** The corners of a box, turned or not, in cyclic order. */
export const cornersIn = ({ x, y, w, h, outline = UPRIGHT }: OutlinedBox): readonly Point[] =>
  outline.map((at) => ({ x: x + at.x * w, y: y + at.y * h }));

const UPRIGHT: Outline = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

export function boundsOf(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
}

/**
 * Moves every side outwards by a fraction of the shorter side, so that long lines grow no more than short
 * ones.
 * @param padding ratio of the new height to the old one
 */
export function padOutline<B extends OutlinedBox>(box: B, padding: number): B {
  const [a, b, , d] = cornersIn(box) as [Point, Point, Point, Point];
  const [wide, high] = [Math.hypot(b.x - a.x, b.y - a.y), Math.hypot(d.x - a.x, d.y - a.y)];
  const by = ((padding - 1) / 2) * Math.min(wide, high);
  const [across, down] = [by / wide, by / high];
  const [right, below] = [
    { x: (b.x - a.x) * across, y: (b.y - a.y) * across },
    { x: (d.x - a.x) * down, y: (d.y - a.y) * down },
  ];
  const corners = cornersIn(box).map(({ x, y }, index) => {
    const [u, v] = [index === 1 || index === 2 ? 1 : -1, index > 1 ? 1 : -1];
    return { x: x + u * right.x + v * below.x, y: y + u * right.y + v * below.y };
  });
  const bounds = boundsOf(corners);
  if (!box.outline) return { ...box, ...bounds };
  return { ...box, ...bounds, outline: outlineIn(bounds, corners) };
}

/** Most upright boxes that cover one turned box. */
const MOST_BANDS = 12;
/** Most upright boxes for all turned boxes of a picture; if there are many, each is covered more coarsely. */
const MOST_BANDS_TOGETHER = 4000;
/** Least height of such a box, in pixels. */
const LEAST_BAND = 2;

/**
 * Upright boxes that together cover a box, turned or not: horizontal bands, each as wide as the part of the
 * box in its rows.
 * @param picture nothing outside of it needs to be covered
 * @param most number of bands
 */
export function coverOf(box: OutlinedBox, picture: Size, most = MOST_BANDS): Box[] {
  if (!box.outline) return [{ x: box.x, y: box.y, w: box.w, h: box.h }];
  const corners = cornersIn(box);
  const top = Math.max(0, Math.floor(box.y));
  const bottom = Math.min(picture.height, Math.ceil(box.y + box.h));
  const count = Math.max(1, Math.min(most, Math.floor((bottom - top) / LEAST_BAND)));
  return Array.from({ length: count }, (_, index) => {
    const from = top + Math.round(((bottom - top) * index) / count);
    const to = top + Math.round(((bottom - top) * (index + 1)) / count);
    const { x, w } = boundsOf(within(corners, from, to));
    return { x, y: from, w, h: to - from };
  }).filter(({ w, h }) => w > 0 && h > 0);
}

/** For each of a picture's boxes, the upright boxes that cover it. */
export function coversOf(boxes: readonly OutlinedBox[], picture: Size): Box[][] {
  const turned = boxes.filter(({ outline }) => outline).length;
  const bands = Math.min(MOST_BANDS, Math.ceil(MOST_BANDS_TOGETHER / Math.max(1, turned)));
  return boxes.map((box) => coverOf(box, picture, bands));
}

/** The corners of the part of a convex shape between two rows. */
function within(corners: readonly Point[], from: number, to: number): Point[] {
  const cut = corners.flatMap((a, index) => {
    const b = corners[(index + 1) % corners.length]!;
    const crossings = [from, to]
      .filter((row) => (a.y - row) * (b.y - row) < 0)
      .map((row) => ({ x: a.x + ((b.x - a.x) * (row - a.y)) / (b.y - a.y), y: row }));
    return a.y >= from && a.y <= to ? [a, ...crossings] : crossings;
  });
  return cut;
}
