import type { Orientation, Size } from '../codecs/types.ts';
import type { QuarterTurn } from '../vocabulary/vocabulary.ts';
import type { Rect } from './rect.ts';

/**
 * The orientations (Exif 2.32, tag Orientation) in the order in which a quarter turn clockwise leads from one
 * to the next: those without a mirror image, and those with one.
 */
const CYCLES: readonly (readonly Orientation[])[] = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
];

/** The orientation of the stored picture if the upright picture is turned as well. */
export function turnedOrientation(orientation: Orientation, turn: QuarterTurn): Orientation {
  const cycle = CYCLES.find((one) => one.includes(orientation))!;
  return cycle[(cycle.indexOf(orientation) + turn / 90) % 4]!;
}

/** Where a part of a picture of this size lies after a turn; fractions are kept. */
export function turnedRect({ x, y, width, height }: Rect, within: Size, turn: QuarterTurn): Rect {
  if (turn === 180) return { x: within.width - x - width, y: within.height - y - height, width, height };
  return turn === 90
    ? { x: within.height - y - height, y: x, width: height, height: width }
    : { x: y, y: within.width - x - width, width: height, height: width };
}
