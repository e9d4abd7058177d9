import type { Size } from '../../src/codecs/types.ts';
import { blockAt, blocksAlong } from '../../src/pixels/block_edges.ts';
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

/** The blocks that a region on a page touches. */
export function blocksOver(
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
  edge: number,
  page: Size,
): Blocks {
  return {
    edge,
    left: blockAt(x, edge, page.width),
    top: blockAt(y, edge, page.height),
    right: blockAt(Math.ceil(x + w) - 1, edge, page.width) + 1,
    bottom: blockAt(Math.ceil(y + h) - 1, edge, page.height) + 1,
  };
}

/** The place after the last of a block along an edge of the page. */
export const blockEnd = (block: number, edge: number, length: number): number =>
  block + 1 === blocksAlong(length, edge) ? length : (block + 1) * edge;

/**
 * The mosaic that this text would produce here, black on white: the mean of every block, as the page's end
 * leaves it.
 */
export function expectedMeans(ink: Ink, { x, y }: Place, blocks: Blocks, page: Size): Float64Array {
  const { edge, left, top, right, bottom } = blocks;
  const means = new Float64Array((right - left) * (bottom - top));
  let at = 0;
  for (let row = top; row < bottom; row++) {
    const [from, to] = [row * edge, blockEnd(row, edge, page.height)];
    for (let column = left; column < right; column++) {
      const [first, end] = [column * edge, blockEnd(column, edge, page.width)];
      const covered = inkWithin(ink, first - x, from - y, end - x, to - y);
      means[at++] = 255 - covered / ((end - first) * (to - from));
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
