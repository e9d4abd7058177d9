import type { Size } from '../../src/codecs/types.ts';
import { type Ink, inkWithin } from './text.ts';

/** The place of a text in the picture, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A range of blocks, in rows and columns of a grid anchored at the picture's origin. */
export interface Blocks {
  readonly edge: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The blocks that a region touches. */
export function blocksOver(region: { x: number; y: number; w: number; h: number }, edge: number): Blocks {
  return {
    edge,
    left: Math.floor(region.x / edge),
    top: Math.floor(region.y / edge),
    right: Math.ceil((region.x + region.w) / edge),
    bottom: Math.ceil((region.y + region.h) / edge),
  };
}

/**
 * The mosaic that this text would produce here, black on white: the mean of every block, clipped to the page.
 */
export function expectedMeans(ink: Ink, { x, y }: Place, blocks: Blocks, page: Size): Float64Array {
  const { edge, left, top, right, bottom } = blocks;
  const means = new Float64Array((right - left) * (bottom - top));
  let at = 0;
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const box = [column * edge - x, row * edge - y, (column + 1) * edge - x, (row + 1) * edge - y] as const;
      const columns = Math.min(page.width, (column + 1) * edge) - column * edge;
      const rows = Math.min(page.height, (row + 1) * edge) - row * edge;
      means[at++] = 255 - inkWithin(ink, ...box) / (columns * rows);
    }
  }
  return means;
}

/**
 * The result of an attacker who knows font, size and place and may guess among candidates: the rank of the
 * truth when candidates are sorted by how much their mosaics differ from the one seen. Candidates with the
 * same difference as the truth count half a rank each.
 */
export function rankOfTruth(seen: Float64Array, candidates: Iterable<Float64Array>, truth: number): number {
  const distances = Array.from(candidates, (means) => {
    let sum = 0;
    for (let at = 0; at < seen.length; at++) sum += (means[at]! - seen[at]!) ** 2;
    return sum;
  });
  const own = distances[truth]!;
  let better = 0;
  let equal = 0;
  for (const distance of distances) {
    if (distance < own) better++;
    else if (distance === own) equal++;
  }
  return better + (equal + 1) / 2;
}
