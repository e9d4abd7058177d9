import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Raster } from '../../src/codecs/types.ts';
import type { Box } from '../../src/faces/boxes.ts';
import { MULTIPLICATION_TIME, PAUSE_AFTER } from '../../src/faces/network/network.ts';
import { totalBytes } from '../../src/memory/memory_cost.ts';
import { createReadableDetector } from '../../src/readable/detector.ts';
import type { MapKind } from '../../src/readable/model.ts';
import { coverOf } from '../../src/readable/outline.ts';
import type { ReadingNetwork } from '../../src/readable/reading_network.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { MAX_WORK } from '../../src/scheduling/work.ts';
import { paintedDetector, paintedNetwork } from '../fixtures/painted_detector.ts';
import { type Picture, rasterOf } from '../fixtures/raster.ts';

const BOTH = new Map<MapKind, number>([
  ['text', 0.5],
  ['plate', 0.5],
]);

/** Grey, with a coloured rectangle wherever one is asked for. */
function picture(
  width: number,
  height: number,
  marks: readonly (Box & { readonly kind: MapKind })[],
): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(200);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  for (const { x, y, w, h, kind } of marks) {
    for (let row = y; row < Math.min(height, y + h); row++) {
      for (let column = x; column < Math.min(width, x + w); column++) {
        pixels.set(kind === 'text' ? [230, 10, 10] : [10, 10, 230], (row * width + column) * 4);
      }
    }
  }
  return { width, height, pixels };
}

const read = (raster: Raster, least: ReadonlyMap<MapKind, number> = BOTH) =>
  paintedDetector().read(raster, { least, effort: 'thorough' });

describe('looking for text and plates', () => {
  it('finds lines of 10 pixels wherever they lie in tiles, each as one', async () => {
    const place = fc.record({ x: fc.integer({ min: 8, max: 700 }), y: fc.integer({ min: 8, max: 780 }) });
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom('text' as const, 'plate' as const), async ({ x, y }, kind) => {
        const mark = { x, y, w: 560, h: 10, kind };
        const boxes = await read(rasterOf(picture(1300, 800, [mark])));
        expect(boxes.map((box) => box.kind)).toEqual([kind]);
        const box: Box = boxes[0]!;
        expect(box.x).toBeLessThanOrEqual(x);
        expect(box.y).toBeLessThanOrEqual(y);
        expect(box.x + box.w).toBeGreaterThanOrEqual(x + 560);
        expect(box.y + box.h).toBeGreaterThanOrEqual(Math.min(800, y + 10));
        expect(box.h).toBeLessThan(40);
      }),
      { numRuns: 12, seed: 1 },
    );
  });

  it('finds lines of 10 pixels in a picture that is shown smaller', async () => {
    const marks = [40, 1231, 2602].map((x, index) => ({
      x,
      y: 900 * index + 33,
      w: 90,
      h: 10,
      kind: 'text' as const,
    }));
    const boxes = await read(rasterOf(picture(3400, 2400, marks), 64));
    expect(boxes).toHaveLength(3);
    for (const mark of marks) {
      const inside = boxes.filter(
        ({ x, y, w, h }) => x <= mark.x && y <= mark.y && x + w >= mark.x + 90 && y + h >= mark.y + 10,
      );
      expect(inside).toHaveLength(1);
    }
  });

  it('sees in the whole at a fraction what is too large for the other views, and only that', async () => {
    const detector = createReadableDetector(
      paintedNetwork((_rows, { width }, y) => {
        const values = new Float32Array((width / 4) * 2);
        // Two plates where the long side is 320: one of 7 cells high, one of 2.
        if (width === 320 && [9, 10, 11, 12, 13, 14, 15, 40, 41].includes(y))
          for (let x = 10; x < 30; x++) values[2 * x + 1] = 0.9;
        return values;
      }),
    );
    const marked = picture(960, 720, [{ x: 100, y: 100, w: 300, h: 80, kind: 'plate' }]);
    const boxes = await detector.read(rasterOf(marked), { least: BOTH, effort: 'thorough' });
    expect(boxes).toHaveLength(1);
    const { x, y, w, h } = boxes[0]!;
    expect([x <= 120, y <= 120, x + w >= 360, y + h >= 192]).toEqual([true, true, true, true]);
    expect(await detector.read(rasterOf(marked), { least: BOTH, effort: 'coarse' })).toEqual([]);
  });

  it('gives a line that is turned its corners, and covers all of it', async () => {
    const [width, height] = [600, 500];
    const line = picture(width, height, []);
    const points: [number, number][] = [];
    for (let along = 0; along < 400; along += 0.5) {
      for (let across = 0; across < 12; across += 0.5) {
        const x = Math.round(100 + along * Math.cos(0.6) - across * Math.sin(0.6));
        const y = Math.round(100 + along * Math.sin(0.6) + across * Math.cos(0.6));
        line.pixels.set([230, 10, 10], (y * width + x) * 4);
        points.push([x, y]);
      }
    }
    const boxes = await read(rasterOf(line));
    expect(boxes).toHaveLength(1);
    expect(boxes[0]!.outline).toHaveLength(4);
    const cover = coverOf(boxes[0]!, line);
    for (const [px, py] of points) {
      const holds = ({ x, y, w, h }: Box) => px >= x && px <= x + w && py >= y && py <= y + h;
      expect(cover.some(holds)).toBe(true);
    }
    expect(cover.reduce((sum, { w, h }) => sum + w * h, 0)).toBeLessThan(0.6 * boxes[0]!.w * boxes[0]!.h);
  });

  it('looks for what is asked, and says nothing of less confidence', async () => {
    const marks = [
      { x: 20, y: 20, w: 100, h: 20, kind: 'text' as const },
      { x: 20, y: 80, w: 100, h: 30, kind: 'plate' as const },
    ];
    const raster = rasterOf(picture(300, 200, marks));
    const kinds = async (least: ReadonlyMap<MapKind, number>) =>
      (await read(raster, least)).map(({ kind }) => kind).sort();
    expect(await kinds(BOTH)).toEqual(['plate', 'text']);
    expect(await kinds(new Map([['plate', 0.5]]))).toEqual(['plate']);
    expect(
      await kinds(
        new Map([
          ['plate', 0.85],
          ['text', 0.85],
        ]),
      ),
    ).toEqual(['text']);
  });

  it('does not look where no letter can stand, and does where one small word stands', async () => {
    const plain = paintedDetector();
    const grained = picture(1000, 800, []);
    for (let at = 0; at < grained.pixels.length; at++)
      if (at % 4 !== 3) grained.pixels[at]! += (at * 7919) % 8;
    expect(await plain.read(rasterOf(grained), { least: BOTH, effort: 'thorough' })).toEqual([]);
    expect(plain.looks()).toBe(0);
    const word = paintedDetector();
    const marked = picture(1000, 800, [{ x: 700, y: 500, w: 24, h: 10, kind: 'text' }]);
    expect(await word.read(rasterOf(marked), { least: BOTH, effort: 'thorough' })).toHaveLength(1);
    expect(word.looks()).toBeGreaterThan(0);
  });

  it('covers all of a picture full of dots, by few boxes', async () => {
    const dots: (Box & { kind: MapKind })[] = [];
    for (let y = 0; y < 1200; y += 12) {
      for (let x = 0; x < 1200; x += 16) dots.push({ x, y, w: 8, h: 4, kind: 'text' });
    }
    const boxes = await read(rasterOf(picture(1200, 1200, dots)));
    expect(boxes.length).toBeLessThanOrEqual(3000 + 256);
    const isCovered = (dot: Box) =>
      boxes.some(
        ({ x, y, w, h }) => x <= dot.x && y <= dot.y && x + w >= dot.x + dot.w && y + h >= dot.y + dot.h,
      );
    expect(dots.filter((dot) => !isCovered(dot))).toEqual([]);
  });

  it('gives way on the way from a map to its boxes: a picture full of dots held the thread', async () => {
    const spent: number[] = [];
    const network = paintedNetwork((_rows, { width }, y) =>
      Float32Array.from({ length: (width / 4) * 2 }, (_, at) => (y % 2 === 0 && (at >> 1) % 3 < 2 ? 0.9 : 0)),
    );
    const slice = { ...uninterrupted, spendTime: (time: number) => void spent.push(time) as undefined };
    const marks = [{ x: 0, y: 0, w: 600, h: 600, kind: 'text' as const }];
    const raster = rasterOf(picture(900, 700, marks));
    await createReadableDetector(network).read(raster, { least: BOTH, effort: 'thorough', slice });
    expect(spent.length).toBeGreaterThan(1000);
    expect(Math.max(...spent)).toBeLessThan(3_000_000);
  });

  it('counts its network as work: a few per cent of what a call may take, whatever the shape', () => {
    const { work } = paintedDetector();
    for (const [width, height] of [
      [4000, 3000],
      [7071, 7071],
      [33, 1_500_000],
      [262_144, 190],
      [1, 12_000_000],
    ] as const) {
      expect(work({ width, height })).toBeGreaterThan(Math.min(width * height, 1e6));
      expect(work({ width, height })).toBeLessThan(MAX_WORK / 5);
    }
  });

  it('looks at every pixel once: where tiles overlapped it looked at a quarter of them again', async () => {
    const shown = 3200 * 2400 + 640 * 480 + 320 * 256;
    expect(paintedDetector().work({ width: 4000, height: 3000 })).toBe(4 * shown);
    const seen: Uint8Array[][] = [];
    const network = paintedNetwork((rows, { width }) => {
      if (width === 1024) seen.push([...rows]);
      return new Float32Array((width / 4) * 2);
    });
    const marks = [{ x: 0, y: 0, w: 1000, h: 966, kind: 'text' as const }];
    const { pixels, ...size } = picture(1000, 966, marks);
    for (let at = 0; at < pixels.length; at += 4) pixels[at + 1] = (at * 7919) >> 3;
    const raster = rasterOf({ ...size, pixels });
    await createReadableDetector(network).read(raster, { least: BOTH, effort: 'thorough' });
    const rows = seen.flat();
    expect(rows).toHaveLength(992);
    for (const [y, row] of rows.slice(0, 966).entries()) {
      const greens = row.filter((_, at) => at % 3 === 1);
      expect(greens).toEqual(
        pixels.subarray(y * 1000 * 4, (y + 1) * 1000 * 4).filter((_, at) => at % 4 === 1),
      );
    }
    expect(rows.slice(966).every(({ length }) => length === 0)).toBe(true);
  });

  it('looks only about where letters can stand: it looked at whole tiles around them', async () => {
    const cells = new Set<string>();
    const painted = paintedNetwork((_rows, { width }) => new Float32Array((width / 4) * 2));
    const network: ReadingNetwork = {
      ...painted,
      async begin(workspace, size, options) {
        const pass = await painted.begin(workspace, size, options);
        let y = 0;
        return {
          push: pass.push,
          next() {
            const row = pass.next();
            const [across, down] = [size.width / 32, size.height / 32];
            const at = row && options.spans ? y++ >> 3 : down;
            for (const { from, to } of at < down ? options.spans!(at, across, down) : [])
              for (let x = from; x < to; x++) cells.add(`${x} ${at}`);
            return row;
          },
        };
      },
    };
    // Steps lie from two pixels before it on, in the cells 24 and 25.
    const marked = picture(1600, 1600, [{ x: 800, y: 800, w: 20, h: 20, kind: 'text' }]);
    await createReadableDetector(network).read(rasterOf(marked), { least: BOTH, effort: 'thorough' });
    const expected = [24, 25, 26, 27].flatMap((y) => [22, 23, 24, 25, 26, 27].map((x) => `${x} ${y}`));
    expect([...cells].sort()).toEqual(expected.sort());
  });

  it('counts what the network multiplies on the way: it could do it all in one block', async () => {
    const painted = paintedNetwork((_rows, { width }) => new Float32Array((width / 4) * 2));
    let rows = 0;
    const network: ReadingNetwork = {
      ...painted,
      async begin(workspace, size, options) {
        const pass = await painted.begin(workspace, size, options);
        const next = () => {
          const row = pass.next();
          if (!row) return row;
          rows++;
          options.spend(PAUSE_AFTER / 2);
          return row;
        };
        return { push: pass.push, next };
      },
    };
    const counted: number[] = [];
    const spendTime = (nanoseconds: number) => void counted.push(nanoseconds);
    const marked = picture(1000, 800, [{ x: 100, y: 100, w: 560, h: 10, kind: 'text' }]);
    const options = { least: BOTH, effort: 'thorough', slice: { ...uninterrupted, spendTime } } as const;
    await createReadableDetector(network).read(rasterOf(marked), options);
    const pauses = counted.filter((nanoseconds) => nanoseconds === PAUSE_AFTER * MULTIPLICATION_TIME);
    expect(rows).toBeGreaterThan(200);
    expect(pauses.length).toBeGreaterThanOrEqual(Math.floor(rows / 2) - 2);
  });

  it('holds no more than it says, for any shape: else it would end', async () => {
    const side = fc.integer({ min: 1, max: 1500 });
    await fc.assert(
      fc.asyncProperty(side, side, async (width, height) => {
        const detector = paintedDetector();
        const marks = [{ x: 0, y: 0, w: 60, h: 12, kind: 'text' as const }];
        await detector.read(rasterOf(picture(width, height, marks)), { least: BOTH, effort: 'thorough' });
        expect(totalBytes(detector.cost({ width, height }))).toBeGreaterThan(0);
        expect(detector.wantedWidth({ width, height })).toBeLessThanOrEqual(width);
      }),
      { numRuns: 20, seed: 1 },
    );
  });
});
