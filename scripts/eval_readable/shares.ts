import type { Size } from '../../src/codecs/types.ts';
import type { Box } from '../../src/faces/boxes.ts';
import type { Point } from '../../src/readable/turned_box.ts';

/** 1 for every pixel of a picture whose centre lies in a box. */
export function coverMask(boxes: readonly Box[], { width, height }: Size): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (const { x, y, w, h } of boxes) {
    const [left, right] = [Math.max(0, Math.round(x)), Math.min(width, Math.round(x + w))];
    const bottom = Math.min(height, Math.round(y + h));
    for (let row = Math.max(0, Math.round(y)); row < bottom && right > left; row++)
      mask.fill(1, row * width + left, row * width + right);
  }
  return mask;
}

/** The fraction of a convex label's pixels covered by a mask; 1 for a label without pixels in the picture. */
export function shareCovered(mask: Uint8Array, { width, height }: Size, label: readonly Point[]): number {
  let [inside, covered] = [0, 0];
  const ys = label.map(({ y }) => y);
  for (let row = Math.max(0, Math.floor(Math.min(...ys))); row < Math.min(height, Math.max(...ys)); row++) {
    const middle = row + 0.5;
    const crossings = label.flatMap((a, index) => {
      const b = label[(index + 1) % label.length]!;
      return (a.y - middle) * (b.y - middle) < 0 ? [a.x + ((b.x - a.x) * (middle - a.y)) / (b.y - a.y)] : [];
    });
    if (crossings.length < 2) continue;
    const right = Math.min(width, Math.round(Math.max(...crossings)));
    for (let x = Math.max(0, Math.round(Math.min(...crossings))); x < right; x++) {
      inside++;
      covered += mask[row * width + x]!;
    }
  }
  return inside === 0 ? 1 : covered / inside;
}

/**
 * The shorter side of a quadrilateral with its corners in order: the lesser of the means of opposite sides.
 */
export function shortSide(label: readonly Point[]): number {
  const sides = label.map((a, index) => {
    const b = label[(index + 1) % label.length]!;
    return Math.hypot(b.x - a.x, b.y - a.y);
  });
  return Math.min(sides[0]! + sides[2]!, sides[1]! + sides[3]!) / 2;
}
