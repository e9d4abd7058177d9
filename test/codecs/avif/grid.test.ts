import { describe, expect, it } from 'vitest';
import { GridPicture, gridBytes } from '../../../src/codecs/avif/grid.ts';
import type { PlanePicture } from '../../../src/codecs/avif/planes.ts';
import { type Core, createCore } from '../../../src/core/instance.ts';
import { Fault } from '../../../src/faults.ts';
import { type Planes, planePicture, randomPlanes } from '../../fixtures/plane_picture.ts';
import { seededBelow } from '../../fixtures/random.ts';

const LAYOUTS = [
  { subX: 1, subY: 1, monochrome: false },
  { subX: 1, subY: 0, monochrome: false },
  { subX: 0, subY: 0, monochrome: false },
  { subX: 1, subY: 1, monochrome: true },
];

/** All planes, from rows as they come. */
function gather(core: Core, picture: PlanePicture): Uint16Array[] {
  const { width, height, subX, subY, monochrome } = picture;
  const shapes = (monochrome ? [0] : [0, 1, 2]).map((plane) =>
    plane > 0 ? { columns: (width + subX) >> subX, shift: subY } : { columns: width, shift: 0 },
  );
  const planes = shapes.map(({ columns, shift }) => new Uint16Array(columns * ((height + shift) >> shift)));
  let due = 0;
  for (const item of picture.rows()) {
    if (typeof item === 'number') continue;
    expect(item.y).toBe(due);
    due = item.y + item.rows;
    shapes.forEach(({ columns, shift }, plane) => {
      const { at, stride } = item.planes[plane]!;
      const first = item.y >> shift;
      for (let row = first; row < (due + shift) >> shift; row++) {
        const place = at + (row - first) * stride;
        planes[plane]!.set(new Uint16Array(core.exports.memory.buffer, place, columns), row * columns);
      }
    });
  }
  return planes;
}

/** A sample of the grid, from the tile that has it. */
function tileSample(tiles: readonly Planes[], columns: number, plane: number, x: number, y: number): number {
  const { width, height, subX, subY } = tiles[0]!;
  const [w, h] = plane > 0 ? [(width + subX) >> subX, (height + subY) >> subY] : [width, height];
  const tile = tiles[Math.floor(y / h) * columns + Math.floor(x / w)]!;
  return tile.planes[plane]![(y % h) * w + (x % w)]!;
}

describe('a grid of tiles', () => {
  const random = seededBelow(3);

  it.each(LAYOUTS)('is one picture, its tiles in lockstep: %o', (layout) => {
    using core = createCore();
    const tiles = Array.from({ length: 6 }, () =>
      randomPlanes({ width: 10, height: 38, depth: 10, ...layout }, random),
    );
    const heights = [[8], [38], [2, 20], [64], [6], [14, 4]];
    let opened = 0;
    const open = (tileCore: Core, index: number) => {
      opened += 1;
      return planePicture(tileCore, tiles[index]!, heights[index]!);
    };
    using grid = new GridPicture(core, { columns: 3, rows: 2, width: 29, height: 70 }, open, 0);
    expect(grid).toMatchObject({ width: 30, height: 76, depth: 10, ...layout });
    for (let reading = 0; reading < 2; reading++) {
      const planes = gather(core, grid);
      planes.forEach((samples, plane) => {
        const columns = plane > 0 ? (30 + layout.subX) >> layout.subX : 30;
        samples.forEach((sample, i) => {
          expect(sample).toBe(tileSample(tiles, 3, plane, i % columns, Math.floor(i / columns)));
        });
      });
    }
    expect(opened).toBe(1 + 12);
  });

  it('does not open tiles that lie below its canvas, and can be left early', () => {
    using core = createCore();
    const tile = randomPlanes({ width: 8, height: 8, depth: 8, ...LAYOUTS[2]! }, random);
    const opened: number[] = [];
    const open = (tileCore: Core, index: number) => {
      opened.push(index);
      return planePicture(tileCore, tile, [8]);
    };
    using grid = new GridPicture(core, { columns: 1, rows: 3, width: 8, height: 9 }, open, 0);
    const before = core.exports.mark();
    for (const item of grid.rows()) {
      if (typeof item === 'number') continue;
      expect(core.exports.mark() - before).toBe(gridBytes(8, 1, tile));
      break;
    }
    expect(core.exports.mark()).toBe(before);
    gather(core, { ...tile, height: 16, rows: () => grid.rows() });
    expect(opened).toEqual([0, 0, 0, 1]);
  });

  it.each<[string, Partial<Planes>, RegExp]>([
    ['another size', { width: 12 }, /Tile 2 .* not like its first/],
    ['another depth', { depth: 10 }, /not like its first/],
    ['no chroma', { monochrome: true }, /not like its first/],
  ])('refuses a tile of %s', (_, other, message) => {
    using core = createCore();
    const layout = { width: 8, height: 8, depth: 8, ...LAYOUTS[0]! };
    const open = (tileCore: Core, index: number) =>
      planePicture(tileCore, randomPlanes({ ...layout, ...(index === 1 && other) }, random), [8]);
    using grid = new GridPicture(core, { columns: 2, rows: 1, width: 16, height: 8 }, open, 0);
    expect(() => gather(core, grid)).toThrow(Fault);
    expect(() => gather(core, grid)).toThrow(message);
  });

  it('refuses tiles that do not cover it, and such that share chroma samples', () => {
    using core = createCore();
    const open =
      (width: number) =>
      (tileCore: Core): PlanePicture =>
        planePicture(tileCore, randomPlanes({ width, height: 8, depth: 8, ...LAYOUTS[0]! }, random), [8]);
    const grid = { columns: 2, rows: 1, width: 18, height: 8 };
    expect(() => new GridPicture(core, grid, open(8), 0)).toThrow(/its tiles cover 16 × 8/);
    expect(() => new GridPicture(core, grid, open(9), 0)).toThrow(/tiles of 9 × 8 pixels that share chroma/);
  });
});
