import { describe, expect, it } from 'vitest';
import { blockAt, blocksAlong } from '../../src/pixels/block_edges.ts';
import { CoveredBlocks, touchedBlocks } from '../../src/pixels/covered_blocks.ts';

describe('blocks along an edge', () => {
  it('are whole, but for the last, which has more than half a block and at most one and a half', () => {
    for (let block = 2; block < 40; block++) {
      for (let length = block; length < 200; length++) {
        const last = length - (blocksAlong(length, block) - 1) * block;
        expect(last).toBeGreaterThan(block / 2);
        expect(last).toBeLessThanOrEqual(block * 1.5);
        expect(blockAt(length - 1, block, length)).toBe(blocksAlong(length, block) - 1);
        expect(blockAt(block - 1, block, length)).toBe(0);
      }
    }
    expect(blocksAlong(1, 40)).toBe(1);
  });
});

describe('covered blocks', () => {
  const size = { width: 104, height: 64 };

  it('are those that areas touch, on a grid that goes on behind the end of the picture', () => {
    const areas = [{ x: 19, y: 40, width: 2, height: 24 }];
    expect(touchedBlocks({ block: 20, areas })).toEqual([{ x: 0, y: 2, width: 2, height: 2 }]);
  });

  it('end with the picture: an area on what is left of a block covers the block before it', () => {
    const covered = new CoveredBlocks(
      {
        block: 20,
        areas: [
          { x: 101, y: 0, width: 3, height: 5 },
          { x: 30, y: 61, width: 2, height: 3 },
          { x: 70, y: 41, width: 2, height: 3 },
        ],
      },
      size,
    );
    expect([0, 1, 2].map((row) => covered.at(row))).toEqual([
      [{ start: 4, end: 5 }],
      [],
      [
        { start: 1, end: 2 },
        { start: 3, end: 4 },
      ],
    ]);
    expect([0, 1, 2].map((row) => covered.runsAt(row))).toEqual([1, 0, 2]);
  });

  it('are as many under an ellipse that only what is left of a block touches', () => {
    const ellipse = { x: 100, y: 60, width: 30, height: 30 };
    const covered = new CoveredBlocks(
      { block: 20, areas: [{ x: 100, y: 60, width: 4, height: 4, ellipse }] },
      size,
    );
    expect(covered.at(2)).toEqual([{ start: 4, end: 5 }]);
    expect(covered.at(1)).toEqual([]);
  });
});
