import type { Size } from '../codecs/types.ts';
import { blockAt, blockEdge } from '../pixels/block_edges.ts';
import type { Rect } from '../pixels/rect.ts';

/**
 * The most blocks over a region under which a line of text is seldom guessed. Of 1,600 names, the right one
 * came first in 1 of 100 trials under two blocks, in 13 under three, in 95 under ten and more (`npm run
 * eval:readable`, docs/measurements/readable.md).
 */
export const MOST_BLOCKS_OVER_TEXT = 2;

/** The specification's greatest strength. */
const MAX_STRENGTH = 12;

/** Regions under which text could be guessed. */
export interface FineBlocks {
  readonly regions: number;
  /** The lowest strength at which none of them has too many blocks; absent if there is none. */
  readonly strength?: number;
}

/**
 * Finds regions whose blocks are too fine to hide text.
 * @param regions that become blocks, in whole pixels of the output
 * @returns undefined if no region has too many blocks
 */
export function fineBlocks(regions: readonly Rect[], strength: number, output: Size): FineBlocks | undefined {
  const tooFine = (at: number) =>
    regions.filter((region) => blocksOver(region, blockEdge(at, output), output) > MOST_BLOCKS_OVER_TEXT);
  const { length } = tooFine(strength);
  if (length === 0) return undefined;
  for (let coarser = strength + 1; coarser <= MAX_STRENGTH; coarser++) {
    if (tooFine(coarser).length === 0) return { regions: length, strength: coarser };
  }
  return { regions: length };
}

function blocksOver({ x, y, width, height }: Rect, block: number, output: Size): number {
  const along = (from: number, length: number, edge: number) =>
    blockAt(from + length - 1, block, edge) - blockAt(from, block, edge) + 1;
  return along(x, width, output.width) * along(y, height, output.height);
}
