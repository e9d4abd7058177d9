import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coarsestJoined, type FaceMosaic, joinNeighbourGrids } from '../../src/sanitize/neighbour_grids.ts';

/** Larger than all of the faces together. */
const OUTPUT = { width: 2000, height: 1500 };

const mosaic = (block: number, x: number, y: number, width: number, height: number): FaceMosaic => ({
  block,
  areas: [{ x, y, width, height }],
});

const painted = ({ block, areas: [{ x, y, width, height }] }: FaceMosaic) => ({
  left: Math.floor(x / block) * block,
  top: Math.floor(y / block) * block,
  right: Math.ceil((x + width) / block) * block,
  bottom: Math.ceil((y + height) / block) * block,
});

const touch = (a: FaceMosaic, b: FaceMosaic): boolean => {
  const [one, other] = [painted(a), painted(b)];
  return (
    one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
  );
};

const anyMosaic = fc
  .tuple(
    fc.integer({ min: 2, max: 90 }),
    fc.integer({ min: 0, max: 1500 }),
    fc.integer({ min: 0, max: 1000 }),
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 1, max: 300 }),
  )
  .map((values) => mosaic(...values));

describe('neighbouring mosaics', () => {
  it('that touch get grids of which one fills the other; none becomes finer', () => {
    let touching = 0;
    fc.assert(
      fc.property(fc.array(anyMosaic, { minLength: 2, maxLength: 12 }), (before) => {
        const after = joinNeighbourGrids(before, OUTPUT);
        const coarsest = Math.max(...before.map(({ block }) => block));
        for (const [index, one] of after.entries()) {
          expect(one.areas).toEqual(before[index]!.areas);
          expect(one.block).toBeGreaterThanOrEqual(before[index]!.block);
          expect(one.block).toBeLessThanOrEqual(coarsestJoined(coarsest));
          for (const other of after.slice(index + 1).filter((next) => touch(one, next))) {
            touching++;
            const [coarser, finer] = [Math.max(one.block, other.block), Math.min(one.block, other.block)];
            expect(coarser % finer).toBe(0);
          }
        }
      }),
      { seed: 21, numRuns: 300 },
    );
    expect(touching).toBeGreaterThan(500);
  });

  it('that touch none stay as they are', () => {
    const apart = [mosaic(17, 0, 0, 60, 60), mosaic(19, 100, 0, 60, 60), mosaic(23, 0, 300, 90, 90)];
    expect(joinNeighbourGrids(apart, OUTPUT)).toEqual(apart);
  });

  it('of nearly one size share one grid; a much smaller one keeps finer blocks', () => {
    const faces = [mosaic(40, 0, 0, 280, 280), mosaic(43, 290, 0, 300, 300), mosaic(9, 600, 100, 60, 60)];
    expect(joinNeighbourGrids(faces, OUTPUT).map(({ block }) => block)).toEqual([44, 44, 11]);
  });

  it('are joined in turn where coarser blocks touch the next', () => {
    // The second touches the third only with the first one's blocks.
    const faces = [mosaic(64, 0, 0, 64, 64), mosaic(33, 60, 0, 75, 60), mosaic(35, 176, 0, 60, 60)];
    expect(touch(faces[1]!, faces[2]!)).toBe(false);
    expect(joinNeighbourGrids(faces, OUTPUT).map(({ block }) => block)).toEqual([64, 64, 64]);
  });

  it('are joined at the end of the picture, where a block reaches back over a sliver of the next', () => {
    // 102 pixels have five blocks of 20: the second face is painted from 80 on, where the first ends.
    const faces = [mosaic(16, 60, 0, 20, 20), mosaic(20, 100, 0, 2, 20)];
    expect(joinNeighbourGrids(faces, OUTPUT)).toEqual(faces);
    const joined = joinNeighbourGrids(faces, { width: 102, height: 80 });
    expect(joined.map(({ block }) => block)).toEqual([20, 20]);
  });
});
