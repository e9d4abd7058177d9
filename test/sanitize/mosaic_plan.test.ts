import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readsTwice } from '../../src/pixels/block_edges.ts';
import { faceBlock, joinMosaics, MOSAIC_BYTES, regionAreas } from '../../src/sanitize/mosaic_plan.ts';
import { coarsestJoined } from '../../src/sanitize/neighbour_grids.ts';

const output = { width: 800, height: 600 };

describe('regions', () => {
  it('outside the image are left out; the others cover every pixel they touch', () => {
    expect(
      regionAreas(
        [
          { x: 10.5, y: 20, w: 5, h: 5.2 },
          { x: 800, y: 0, w: 9, h: 9 },
          { x: 790, y: 590, w: 900, h: 900 },
        ],
        output,
      ),
    ).toEqual([
      { x: 10, y: 20, width: 6, height: 6 },
      { x: 790, y: 590, width: 10, height: 10 },
    ]);
  });
});

describe('faces', () => {
  const place = fc.double({ min: 0, max: 3000, noNaN: true });
  const extent = fc.double({ min: 4, max: 3000, noNaN: true });
  const blocksOver = (start: number, length: number, block: number) =>
    Math.floor((start + length) / block) - Math.floor(start / block) + 1;

  it('are covered by at most 4 × 4 blocks, wherever they lie', () => {
    const anyLeast = fc.integer({ min: 2, max: 60 });
    const within = fc.double({ min: 4, max: 800, noNaN: true });
    fc.assert(
      fc.property(place, place, within, within, anyLeast, (x, y, w, h, least) => {
        const block = faceBlock({ x, y, w, h }, least, output);
        expect(block).toBeGreaterThanOrEqual(least);
        expect(block).toBeGreaterThanOrEqual(Math.max(w, h) / 3);
        expect(Math.max(blocksOver(x, w, block), blocksOver(y, h, block))).toBeLessThanOrEqual(4);
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it('that fill a large picture are covered by at most 8 × 8, not to have it read twice', () => {
    const large = { width: 4000, height: 3000 };
    let limited = 0;
    fc.assert(
      fc.property(place, place, extent, extent, (x, y, w, h) => {
        const block = coarsestJoined(faceBlock({ x, y, w, h }, 90, large));
        expect(Math.max(blocksOver(x, w, block), blocksOver(y, h, block))).toBeLessThanOrEqual(8);
        const longer = Math.max(w, h);
        // No coarser than a third unless asked for, and read twice only where a seventh demands it.
        expect(block).toBeLessThanOrEqual(coarsestJoined(Math.max(90, Math.ceil(longer / 3))));
        if (readsTwice(large, block, MOSAIC_BYTES)) expect(block).toBe(coarsestJoined(Math.ceil(longer / 7)));
        if (block < Math.ceil(longer / 3)) {
          limited++;
          expect(readsTwice(large, coarsestJoined(block + 1), MOSAIC_BYTES)).toBe(true);
        }
      }),
      { seed: 7, numRuns: 300 },
    );
    expect(limited).toBeGreaterThan(100);
  });
});

describe('mosaics', () => {
  it('of one block size are joined', () => {
    const area = (x: number) => ({ x, y: 0, width: 1, height: 1 });
    expect(
      joinMosaics([
        { block: 4, areas: [area(1)] },
        { block: 9, areas: [area(2)] },
        { block: 4, areas: [area(3)] },
      ]),
    ).toEqual([
      { block: 4, areas: [area(1), area(3)] },
      { block: 9, areas: [area(2)] },
    ]);
  });
});
