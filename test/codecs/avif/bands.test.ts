import { describe, expect, it } from 'vitest';
import { bandWork, planeColumns } from '../../../src/codecs/avif/bands.ts';
import type { Av1Coding } from '../../../src/metadata/facts.ts';

const WIDTH = 8660;
/** One picture of four tiles of 2,176 columns, as libaom divides it. */
const tiled: Av1Coding = {
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
    expect(planeColumns({ x: 10, width: 5 }, 100)).toEqual({ from: 8, to: 18 });
    expect(planeColumns({ x: 11, width: 6 }, 100)).toEqual({ from: 8, to: 20 });
    expect(planeColumns({ x: 1, width: 98 }, 100)).toEqual({ from: 0, to: 100 });
    expect(planeColumns({ x: 0, width: 99 }, 99)).toEqual({ from: 0, to: 99 });
  });

  it('decode all columns once, then each its own and what filters see beside', () => {
    const { first, later } = bandWork({ colour: tiled }, bandsOf(726), WIDTH);
    // By hand: where each band begins and ends to decode, in superblocks.
    const decoded = [
      ...[
        [0, 13],
        [10, 24],
        [21, 35],
        [33, 47],
        [44, 58],
        [55, 69],
        [67, 81],
      ],
      ...[
        [78, 92],
        [89, 103],
        [101, 115],
        [112, 126],
        [124, 136],
      ],
    ];
    const columns = decoded.map(([from, to]) => Math.min(WIDTH, to! * 64) - from! * 64);
    const pixels = columns.reduce((sum, count) => sum + count, 0) / WIDTH;
    expect(later).toEqual({ pixels: expect.closeTo(pixels, 10), bytes: 2 });
    expect(first).toEqual({ pixels: expect.closeTo(pixels + 1 - (13 * 64) / WIDTH, 10), bytes: 3 });
    expect(pixels).toBeLessThan(1.3);
  });

  it('from the right begin tiles anew for some of them', () => {
    const { later } = bandWork({ colour: tiled }, bandsOf(726).reverse(), WIDTH);
    expect(later.pixels).toBeGreaterThan(1.3);
    expect(later.pixels).toBeLessThan(2.2);
    expect(later.bytes).toBeLessThanOrEqual(4);
  });

  it('are each a reading of the whole where columns cannot be read, be it of alpha alone', () => {
    const whole = { first: { pixels: 12, bytes: 12 }, later: { pixels: 12, bytes: 12 } };
    expect(bandWork({ colour: untold }, bandsOf(726), WIDTH)).toEqual(whole);
    expect(bandWork({ colour: tiled, alpha: untold }, bandsOf(726), WIDTH)).toEqual(whole);
  });

  it('of a grid are those of its tiles', () => {
    const grid = { ...untold, columns: 17, rows: 12, width: 512, height: 512 };
    const { first, later } = bandWork({ colour: grid }, bandsOf(512), WIDTH);
    expect(first).toEqual(later);
    // Chroma's neighbours lie in the tiles beside.
    expect(later.pixels).toBeCloseTo((17 * 3 * 512 - 2 * 512 - 44) / WIDTH, 1);
    expect(later.bytes).toBe(3);
  });
});
