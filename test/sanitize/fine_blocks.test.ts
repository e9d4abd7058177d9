import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockEdge } from '../../src/pixels/block_edges.ts';
import { fineBlocks, MOST_BLOCKS_OVER_TEXT } from '../../src/sanitize/fine_blocks.ts';

const output = { width: 1000, height: 800 };

/** Blocks along an edge; the picture's end leaves at most half of one to the one before. */
const blockOf = (at: number, block: number, length: number) =>
  length - Math.floor(at / block) * block <= block / 2 ? Math.floor(at / block) - 1 : Math.floor(at / block);

/** Blocks that a region touches, counted one by one. */
function touched(region: { x: number; y: number; width: number; height: number }, block: number): number {
  const seen = new Set<string>();
  for (let y = region.y; y < region.y + region.height; y++)
    for (let x = region.x; x < region.x + region.width; x++)
      seen.add(`${blockOf(x, block, output.width)},${blockOf(y, block, output.height)}`);
  return seen.size;
}

describe('blocks finer than what hides text', () => {
  it('are told with the least strength that would do, if there is one, for any regions', () => {
    const region = fc.record({
      x: fc.nat(900),
      y: fc.nat(700),
      width: fc.integer({ min: 1, max: 90 }),
      height: fc.integer({ min: 1, max: 60 }),
    });
    const outcomes = { none: 0, some: 0, never: 0 };
    fc.assert(
      fc.property(
        fc.array(region, { maxLength: 3 }),
        fc.integer({ min: 1, max: 12 }),
        (regions, strength) => {
          const tooFine = (at: number) =>
            regions.filter((one) => touched(one, blockEdge(at, output)) > MOST_BLOCKS_OVER_TEXT).length;
          const said = fineBlocks(regions, strength, output);
          expect(said?.regions ?? 0).toBe(tooFine(strength));
          if (!said) outcomes.none++;
          else if (said.strength === undefined) outcomes.never++;
          else outcomes.some++;
          const least = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].find(
            (at) => at > strength && tooFine(at) === 0,
          );
          if (said) expect(said.strength).toBe(least);
        },
      ),
      { seed: 5, numRuns: 400 },
    );
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(10);
  });
});
