import { describe, expect, it } from 'vitest';
import {
  type Av1Columns,
  checkpointsOf,
  decodedColumns,
  superblocksFor,
} from '../../src/core/av1_columns.ts';
import { seededBelow } from '../fixtures/random.ts';

/** Any tiles, with superres or without. */
function randomColumns(below: (limit: number) => number): Av1Columns {
  const superblock = below(2) === 0 ? 64 : 128;
  const tiles = [0];
  for (let count = 1 + below(8); count > 0; count--) {
    tiles.push(tiles.at(-1)! + 1 + below(below(2) === 0 ? 4 : 4096 / superblock));
  }
  const codedWidth = tiles.at(-1)! * superblock - below(superblock);
  return { width: codedWidth * (1 + below(2)), codedWidth, superblock, tiles, bytes: 0 };
}

describe('the columns of an AV1 picture', () => {
  it('are decoded from where a tile begins or has a checkpoint, to where it may be left', () => {
    const below = seededBelow(22);
    for (let turn = 0; turn < 2000; turn++) {
      const columns = randomColumns(below);
      const { tiles, superblock, width, codedWidth } = columns;
      const checkpoints = checkpointsOf(columns);
      const from = below(width);
      const to = from + 1 + below(width - from);
      const { first, end } = superblocksFor(columns, { from, to });
      // All that is asked for, and 48 samples beside.
      const scale = codedWidth / width;
      expect(first * superblock).toBeLessThanOrEqual(Math.max(0, from * scale - 48));
      expect(end * superblock).toBeGreaterThanOrEqual(Math.min(codedWidth, to * scale + 48));
      for (let i = 1; i < tiles.length; i++) {
        const [start, last] = [Math.max(first, tiles[i - 1]!), Math.min(end, tiles[i]!)];
        const isWhole = start === tiles[i - 1] && last === tiles[i];
        if (start < last && !isWhole) expect(checkpoints).toContain(start);
      }
      const decoded = decodedColumns(columns, { from, to });
      expect(decoded.from).toBeLessThanOrEqual(from);
      expect(decoded.to).toBeGreaterThanOrEqual(to);
      // Little is decoded in vain: less than 1,024 columns before, and a narrow tile behind.
      expect((from - decoded.from) * scale).toBeLessThan(1024 + 48 + 128 + 1024);
      expect((decoded.to - to) * scale).toBeLessThan(1024 + 48 + 128);
    }
  });

  it('have checkpoints only in tiles that are wider than 1,024 samples, and there not further apart', () => {
    expect(checkpointsOf({ superblock: 64, tiles: [0, 16, 32] })).toEqual([]);
    expect(checkpointsOf({ superblock: 64, tiles: [0, 17, 33] })).toEqual([0, 8]);
    expect(checkpointsOf({ superblock: 128, tiles: [0, 4, 36] })).toEqual([4, 12, 20, 28]);
    // 50 megapixels, as libaom divides them.
    expect(checkpointsOf({ superblock: 64, tiles: [0, 34, 68, 102, 136] })).toHaveLength(12);
  });
});
