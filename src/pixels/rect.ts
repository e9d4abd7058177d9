import type { Size } from '../codecs/types.ts';

/** Whole pixels, origin top-left; width and height at least 1. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/**
 * The whole pixels that a rectangle of real numbers touches (left and top rounded down, right and bottom up),
 * clipped to the image.
 * @returns null when nothing of it lies inside
 */
export function touchedPixels(
  area: { x: number; y: number; width: number; height: number },
  image: Size,
): Rect | null {
  const x = Math.max(0, Math.floor(area.x));
  const y = Math.max(0, Math.floor(area.y));
  const right = Math.min(image.width, Math.ceil(area.x + area.width));
  const bottom = Math.min(image.height, Math.ceil(area.y + area.height));
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}
