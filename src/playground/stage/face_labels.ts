import type { Box, Size } from '../geometry.ts';

/**
 * Which boxes have room for their label in the top-left corner: it fits inside with as much space next to it,
 * and overlaps no earlier label.
 * @param boxes in CSS pixels as displayed
 * @param label its size in CSS pixels
 */
export function labelsThatFit(boxes: readonly Box[], { width, height }: Size): boolean[] {
  const placed: Box[] = [];
  return boxes.map(({ x, y, w, h }) => {
    if (w < 2 * width || h < 2 * height) return false;
    const isCovering = placed.some(
      (other) => Math.abs(other.x - x) < width && Math.abs(other.y - y) < height,
    );
    if (!isCovering) placed.push({ x, y, w, h });
    return !isCovering;
  });
}
