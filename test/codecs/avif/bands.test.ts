import { describe, expect, it } from 'vitest';
import { bandWork, planeColumns } from '../../../src/codecs/avif/bands.ts';
import type { Av1Layout } from '../../../src/metadata/facts.ts';

const WIDTH = 8660;
/** One picture of four tiles of 2,176 columns, as libaom divides it. */
const tiled: Av1Layout = {
  ...{ columns: 1, rows: 1, width: WIDTH, height: 5773, depth: 8, monochrome: false, subX: 1, subY: 1 },
  ...{ decoderBytes: 0, copiedBytes: 0 },
  bands: { width: WIDTH, codedWidth: WIDTH, superblock: 64, tiles: [0, 34, 68, 102, 136], bytes: 0 },
};
const { bands: _, ...untold } = tiled;

/** All columns in bands of so many, from the left. */
const bandsOf = (width: number) =>
  Array.from({ length: Math.ceil(WIDTH / width) }, (_, index) => ({
    x: index * width,
    width: Math.min(width, WIDTH - index * width),
  }));

describe('bands of columns of an AVIF', () => {
  it('take whole chroma samples with one beside them', () => {
    expect(planeColumns(10, 5, 100)).toEqual({ from: 8, to: 18 });
    expect(planeColumns(11, 6, 100)).toEqual({ from: 8, to: 20 });
    expect(planeColumns(1, 98, 100)).toEqual({ from: 0, to: 100 });
    expect(planeColumns(0, 99, 99)).toEqual({ from: 0, to: 99 });
  });

  it('decode all columns once, then those of each band from the checkpoint before it', () => {
    const { pixels, bytes, first } = bandWork({ colour: tiled }, bandsOf(726), WIDTH);
    // By hand: where each band begins and ends to decode, in superblocks. A tile has checkpoints 11 and 22 after
    // its first.
    const decoded = [
      ...[
        [0, 13],
        [0, 24],
        [11, 35],
        [22, 47],
        [34, 58],
        [45, 69],
        [56, 81],
      ],
      ...[
        [68, 92],
        [79, 103],
        [90, 115],
        [102, 126],
        [124, 136],
      ],
    ];
    const columns = decoded.map(([from, to]) => Math.min(WIDTH, to! * 64) - from! * 64);
    expect(pixels).toBeCloseTo(columns.reduce((sum, count) => sum + count, 0) / WIDTH, 10);
    expect(pixels).toBeLessThan(2);
    expect(bytes).toBe(3);
    expect(first).toEqual({ pixels: 1 - (13 * 64) / WIDTH, bytes: 1 });
  });

  it('count the same from the right', () => {
    const there = bandWork({ colour: tiled }, bandsOf(726), WIDTH);
    const back = bandWork({ colour: tiled }, bandsOf(726).reverse(), WIDTH);
    expect(back.bytes).toBe(there.bytes);
    expect(back.pixels).toBeCloseTo(there.pixels, 10);
  });

  it('are each a reading of the whole where columns cannot be read, be it of alpha alone', () => {
    const whole = { pixels: 12, bytes: 12, first: { pixels: 0, bytes: 0 } };
    expect(bandWork({ colour: untold }, bandsOf(726), WIDTH)).toEqual(whole);
    expect(bandWork({ colour: tiled, alpha: untold }, bandsOf(726), WIDTH)).toEqual(whole);
  });

  it('of a grid are those of its tiles', () => {
    const grid = { ...untold, columns: 17, rows: 12, width: 512, height: 512 };
    const { pixels, bytes, first } = bandWork({ colour: grid }, bandsOf(512), WIDTH);
    // Chroma's neighbours lie in the tiles beside.
    expect(pixels).toBeCloseTo((17 * 3 * 512 - 2 * 512 - 44) / WIDTH, 1);
    expect(bytes).toBe(3);
    expect(first).toEqual({ pixels: 0, bytes: 0 });
  });
});
