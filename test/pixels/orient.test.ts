import { describe, expect, it } from 'vitest';
import type { Orientation, Raster } from '../../src/codecs/types.ts';
import { narrowColumns } from '../../src/pixels/columns.ts';
import { bandRows, orient, swapsSides, uprightSize } from '../../src/pixels/orient.ts';
import { rowsWork } from '../../src/scheduling/work.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, type Picture, pulledWork, rasterOf, readPicture } from '../fixtures/raster.ts';

const orientations: Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * TIFF 6.0, tag 274, read literally: the 0th row is the visual … of the picture, the 0th column its visual ….
 * For each upright pixel, where it is stored.
 */
const storedAt: Record<
  Orientation,
  (x: number, y: number, w: number, h: number) => [column: number, row: number]
> = {
  1: (x, y) => [x, y],
  2: (x, y, w) => [w - 1 - x, y],
  3: (x, y, w, h) => [w - 1 - x, h - 1 - y],
  4: (x, y, _w, h) => [x, h - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, _w, h) => [y, h - 1 - x],
  7: (x, y, w, h) => [w - 1 - y, h - 1 - x],
  8: (x, y, w) => [w - 1 - y, x],
};

function naiveUpright({ width, height, pixels }: Picture, orientation: Orientation): Picture {
  const upright = uprightSize(width, height, orientation);
  const from = new Uint32Array(pixels.buffer);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < upright.height; y++) {
    for (let x = 0; x < upright.width; x++) {
      const [column, row] = storedAt[orientation](x, y, width, height);
      to[y * upright.width + x] = from[row * width + column]!;
    }
  }
  return { ...upright, pixels: new Uint8Array(to.buffer) };
}

describe.each(orientations)('orientation %i', (orientation) => {
  stepCases((source) => orient(source, orientation, 400));

  it.each([
    [1, 1],
    [1, 9],
    [9, 1],
    [13, 8],
    [16, 33],
  ])('turns %i × %i pixels upright, in bands of any size', (width, height) => {
    const picture = noisePicture(width, height, width * 100 + height, 'any');
    const expected = naiveUpright(picture, orientation);
    for (const bandBytes of [1, 100, 333, 1 << 20]) {
      expect(readPicture(orient(rasterOf(picture, 5), orientation, bandBytes))).toEqual(expected);
    }
  });
});

describe('bands', () => {
  it('hold as many rows as fit, at least one, at most all', () => {
    expect(bandRows(100, 50, 400 * 7 + 399)).toBe(7);
    expect(bandRows(100, 50, 1)).toBe(1);
    expect(bandRows(100, 50, 1 << 30)).toBe(50);
  });

  it('swap width and height for quarter turns only', () => {
    expect(orientations.filter(swapsSides)).toEqual([5, 6, 7, 8]);
  });
});

it('tells of the work on its bands as it is: all of it, and no band as if it were the whole width', () => {
  const source = rasterOf(noisePicture(200, 100, 1));
  const bands = 10 * rowsWork(100, 20);
  const leaving = rowsWork(200, 100);
  const { columns: _, ...cutter } = source;
  const work = (raster: Raster, bandBytes: number) =>
    [...orient(raster, 6, bandBytes).strips()].reduce<number>(
      (sum, strip) => sum + pulledWork(strip, 100),
      0,
    );
  const tenBands = 100 * 4 * 20;
  // Through columns: once for the bands, once for what leaves them. Else whole rows for each band.
  const withColumns = { ...cutter, columns: (x: number, width: number) => columnsOf(cutter, x, width) };
  expect(work(withColumns, tenBands)).toBe(bands + leaving);
  expect(work(cutter, tenBands)).toBe(bands + 10 * 100 * (200 - 20) + leaving);
});

/** Columns as a decoder gives them: what lies beside them takes no work. */
const columnsOf = (source: Raster, x: number, width: number): Raster => ({
  ...source,
  width,
  *strips() {
    for (const strip of narrowColumns({ ...source }, x, width).strips())
      if (typeof strip !== 'number') yield strip;
  },
});
