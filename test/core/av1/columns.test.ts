import { describe, expect, it } from 'vitest';
import {
  type Av1Columns,
  type ColumnRange,
  ColumnReadings,
  checkpointCount,
  lumaColumns,
} from '../../../src/core/av1/columns.ts';
import { seededBelow } from '../../fixtures/random.ts';

type Below = (limit: number) => number;

/** Any tiles, with superres or without. */
function randomColumns(below: Below): Av1Columns {
  const superblock = below(2) === 0 ? 64 : 128;
  const tiles = [0];
  for (let count = 1 + below(6); count > 0; count--) {
    tiles.push(tiles.at(-1)! + 1 + below(below(2) === 0 ? 4 : 4096 / superblock));
  }
  const codedWidth = tiles.at(-1)! * superblock - below(superblock);
  return { width: codedWidth * (1 + below(2)), codedWidth, superblock, tiles, bytes: 0 };
}

/** Bands of all columns, from the left or from the right. */
function randomBands(width: number, below: Below): ColumnRange[] {
  const band = 150 + below(900);
  const bands: ColumnRange[] = [];
  for (let from = 0; from < width; from += band) bands.push({ from, to: Math.min(width, from + band) });
  return below(2) === 0 ? bands : bands.reverse();
}

/** Where each superblock's state is after the readings so far: what a decoder has kept. */
class KeptStates {
  readonly columns: number[];
  constructor({ superblock, tiles }: Av1Columns) {
    this.columns = Array.from({ length: checkpointCount({ superblock, tiles }) }, () => -1);
  }
}

describe('the columns of an AV1 picture', () => {
  it('are decoded from where a tile begins or its state was kept, to where it may be left', () => {
    const below = seededBelow(22);
    for (let turn = 0; turn < 60; turn++) {
      const columns = randomColumns(below);
      const { tiles, superblock, width, codedWidth } = columns;
      const bands = randomBands(width, below);
      const readings = new ColumnReadings(columns, bands);
      const states = new KeptStates(columns);
      const scale = codedWidth / width;
      for (const [index, range] of [...bands, ...bands].entries()) {
        const reading = readings.of(range);
        const { first, end, needed, kept, next } = reading;
        expect(kept).toEqual(states.columns);
        if (index === 0) expect([first, end]).toEqual([0, tiles.at(-1)]);
        // All that is asked for, and 48 samples beside.
        expect(needed.first * superblock).toBeLessThanOrEqual(Math.max(0, range.from * scale - 48));
        expect(needed.end * superblock).toBeGreaterThanOrEqual(Math.min(codedWidth, range.to * scale + 48));
        expect(first).toBeLessThanOrEqual(needed.first);
        expect(end).toBeGreaterThanOrEqual(needed.end);
        for (let i = 1; i < tiles.length; i++) {
          const [start, last] = [Math.max(first, tiles[i - 1]!), Math.min(end, tiles[i]!)];
          const isWhole = start === tiles[i - 1] && last === tiles[i];
          if (start < last && !isWhole) expect(kept).toContain(start);
        }
        readings.begin(reading);
        // Left early: what it would have moved is nowhere.
        if (below(8) === 0) {
          states.columns.forEach((column, slot) => {
            if (next[slot] !== column) states.columns[slot] = -1;
          });
          if (index === 0) break;
          continue;
        }
        next.forEach((column, slot) => {
          if (column === states.columns[slot] || column === -1) return;
          // It is passed while that tile is decoded.
          expect(column).toBeGreaterThanOrEqual(first);
          expect(column).toBeLessThan(end);
        });
        readings.done(reading);
        states.columns.splice(0, Infinity, ...next);
      }
    }
  });

  it('are decoded little more than once, from the left', () => {
    const columns = { width: 8660, codedWidth: 8660, superblock: 64, tiles: [0, 34, 68, 102, 136], bytes: 0 };
    const read = (bands: readonly ColumnRange[]) => {
      const readings = new ColumnReadings(columns, bands);
      const passes = [0, 0].map(() => {
        let decoded = 0;
        for (const range of bands) {
          const reading = readings.of(range);
          const { from, to } = lumaColumns(columns, reading);
          decoded += to - from;
          readings.begin(reading);
          readings.done(reading);
        }
        return decoded / 8660;
      });
      return passes[1]!;
    };
    const bands: ColumnRange[] = [];
    for (let from = 0; from < 8660; from += 433) bands.push({ from, to: Math.min(8660, from + 433) });
    expect(read(bands)).toBeLessThan(1.45);
    // From the right a tile begins anew for every second or third band.
    expect(read([...bands].reverse())).toBeLessThan(2.6);
  });

  it('have checkpoints where tiles begin that are wider than 1,024 samples, and two more', () => {
    expect(checkpointCount({ superblock: 64, tiles: [0, 16, 32] })).toBe(0);
    expect(checkpointCount({ superblock: 64, tiles: [0, 17, 33] })).toBe(3);
    expect(checkpointCount({ superblock: 128, tiles: [0, 4, 36, 68] })).toBe(4);
  });
});
