import type { Rect } from './rect.ts';

/** The rectangle of real numbers that an ellipse fills from side to side. */
type Ellipse = Rect;

/** Whole pixels, or cells of a grid. With an ellipse, only those that it touches. */
export interface Area extends Rect {
  readonly ellipse?: Ellipse;
}

/** More than rounding can move an edge: pixels that are barely touched count as touched. */
const MARGIN = 1e-9;

/**
 * How far an ellipse's edge lies inside its rectangle's side. For x²/a² + y²/b² = 1 this is a - x, written so
 * that nothing cancels out, however large the ellipse is.
 * @param depth how far below its top, or above its bottom
 */
function inset({ width, height }: Ellipse, depth: number): number {
  const share = Math.max(0, Math.min(1, (2 * depth) / height));
  return ((width / 2) * (1 - share) ** 2) / (1 + Math.sqrt(share * (2 - share)));
}

/** The columns [start, end) of an area in row `row`, or in the rows [row, to); none if start >= end. */
export function columnsIn({ x, width, ellipse }: Area, row: number, to = row + 1) {
  if (!ellipse) return { start: x, end: x + width };
  // Where it is widest in these rows: nearest to its middle.
  const depth = Math.min(to - ellipse.y, ellipse.y + ellipse.height - row) + MARGIN;
  const side = inset(ellipse, depth) - MARGIN;
  return {
    start: Math.max(x, Math.floor(ellipse.x + side)),
    end: Math.min(x + width, Math.ceil(ellipse.x + (ellipse.width - side))),
  };
}

/** Whether an ellipse cut by the picture's edges has no pixel left in it; other areas always have some. */
export function isEmpty(area: Area): boolean {
  const { y, height, ellipse } = area;
  if (!ellipse) return false;
  const middle = Math.floor(ellipse.y + ellipse.height / 2);
  const { start, end } = columnsIn(area, Math.max(y, Math.min(y + height - 1, middle)));
  return start >= end;
}

/** The same ellipse with coordinates multiplied by `by`. */
export const scaled = ({ x, y, width, height }: Ellipse, by: number): Ellipse => ({
  x: x * by,
  y: y * by,
  width: width * by,
  height: height * by,
});

/** The number of bands of rows by which rectangles approximate an ellipse. */
const BANDS = 16;

/**
 * Disjoint rectangles of real numbers inside an area: they cover most of an ellipse, and all of any other
 * area.
 */
export function rectsInside(area: Area): Rect[] {
  const { ellipse } = area;
  if (!ellipse) return [area];
  const height = area.height / BANDS;
  return Array.from({ length: BANDS }, (_, band) => {
    const y = area.y + band * height;
    const side = inset(ellipse, Math.min(y - ellipse.y, ellipse.y + ellipse.height - (y + height)));
    const x = Math.max(area.x, ellipse.x + side);
    return { x, y, width: Math.min(area.x + area.width, ellipse.x + ellipse.width - side) - x, height };
  }).filter(({ width }) => width > 0);
}
