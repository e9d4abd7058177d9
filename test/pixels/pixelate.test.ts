import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { blockEdge, readsTwice } from '../../src/pixels/block_edges.ts';
import { blockRuns, type Mosaic, MosaicMeans } from '../../src/pixels/mosaic.ts';
import { pixelate, pixelateCost } from '../../src/pixels/pixelate.ts';
import type { Rect } from '../../src/pixels/rect.ts';
import { SPAN_WORK } from '../../src/scheduling/work.ts';
import { stepCases } from '../cases/step_cases.ts';
import { blockBounds } from '../fixtures/block_bounds.ts';
import { nearestIn } from '../fixtures/ellipse.ts';
import { noisePicture, type Picture, pulledWork, rasterOf, readPicture } from '../fixtures/raster.ts';

const isIn = (kept: readonly Rect[], x: number, y: number) =>
  kept.some((a) => x >= a.x && x < a.x + a.width && y >= a.y && y < a.y + a.height);

/** The rule of docs/api.md read literally: block by block, the coarsest mosaic last. */
function naivePixelate(
  { width, height, pixels }: Picture,
  mosaics: readonly Mosaic[],
  kept: readonly Rect[] = [],
): Picture {
  const out = pixels.slice();
  for (const { block, areas } of [...mosaics].sort((a, b) => a.block - b.block)) {
    // Ellipses may go on behind the picture's end.
    const whole = (length: number) => Math.ceil(length / block) * block;
    for (const { from: top, to: bottom } of blockBounds(height, block)) {
      for (const { from: left, to: right } of blockBounds(width, block)) {
        const box = { x: left, y: top, width: whole(right) - left, height: whole(bottom) - top };
        const touched = areas.some((a) =>
          a.ellipse
            ? nearestIn(a.ellipse, box) <= 1
            : a.x < right && a.x + a.width > left && a.y < bottom && a.y + a.height > top,
        );
        if (touched) fillWithMean(pixels, out, width, { left, top, right, bottom }, kept);
      }
    }
  }
  return { width, height, pixels: out };
}

function fillWithMean(
  pixels: Uint8Array,
  out: Uint8Array,
  width: number,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
  kept: readonly Rect[],
): void {
  const sums = [0, 0, 0, 0];
  let count = 0;
  let seen: number[] = [];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const i = (y * width + x) * 4;
      if (isIn(kept, x, y)) {
        // The first of the last run of kept pixels.
        if (x === left || !isIn(kept, x - 1, y)) seen = [...pixels.subarray(i, i + 4)];
        continue;
      }
      count++;
      for (let c = 0; c < 3; c++) sums[c]! += pixels[i + c]! * pixels[i + 3]!;
      sums[3]! += pixels[i + 3]!;
    }
  }
  const mean = [0, 1, 2].map((c) => (sums[3] === 0 ? 0 : Math.round(sums[c]! / sums[3]!)));
  mean.push(Math.round(sums[3]! / count));
  const shown = count * 4 <= (bottom - top) * (right - left) ? seen : mean;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) if (!isIn(kept, x, y)) out.set(shown, (y * width + x) * 4);
}

const width = 41;
const height = 37;
const areas = fc.array(
  fc
    .record({
      x: fc.nat(width - 1),
      y: fc.nat(height - 1),
      width: fc.integer({ min: 1, max: 30 }),
      height: fc.integer({ min: 1, max: 30 }),
    })
    .map((a) => ({ ...a, width: Math.min(a.width, width - a.x), height: Math.min(a.height, height - a.y) })),
  { maxLength: 6 },
);
/** Of no round numbers, so that none comes to a block's edge without crossing it. */
const withEllipses = fc.array(fc.tuple(areas, fc.boolean()), { maxLength: 2 }).map((lists) =>
  lists.flatMap(([list, isRound]) =>
    list.map((a) =>
      isRound
        ? {
            ...a,
            ellipse: { x: a.x + 0.137, y: a.y + 0.291, width: a.width - 0.533, height: a.height - 0.719 },
          }
        : a,
    ),
  ),
);
const mosaics = fc.array(fc.record({ block: fc.integer({ min: 2, max: 60 }), areas: withEllipses }), {
  maxLength: 4,
});
const alpha = fc.constantFrom('opaque' as const, 'any' as const);
const heights = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });

describe('pixelate', () => {
  const some: Mosaic[] = [
    { block: 3, areas: [{ x: 0, y: 0, width: 1, height: 1 }] },
    { block: 7, areas: [{ x: 0, y: 0, width: 1, height: 1 }] },
  ];
  describe('in one read', () => stepCases((source) => pixelate(source, some, 1 << 20)));
  describe('in two reads', () => stepCases((source) => pixelate(source, some, 0)));

  it('equals a direct implementation, in one read and in two, for any mosaics and strips', () => {
    fc.assert(
      fc.property(mosaics, alpha, heights, fc.nat(1000), (chosen, how, rows, seed) => {
        const picture = noisePicture(width, height, seed, how);
        const expected = naivePixelate(picture, chosen);
        expect(readPicture(pixelate(rasterOf(picture, rows), chosen, 1 << 20))).toEqual(expected);
        expect(readPicture(pixelate(rasterOf(picture, rows), chosen, 0))).toEqual(expected);
      }),
      { numRuns: 150, seed: 4 },
    );
  });

  it('leaves kept pixels alone and takes no mean from them, for any mosaics, strips and kept areas', () => {
    fc.assert(
      fc.property(mosaics, areas, alpha, heights, fc.nat(1000), (chosen, kept, how, rows, seed) => {
        const picture = noisePicture(width, height, seed, how);
        const expected = naivePixelate(picture, chosen, kept);
        expect(readPicture(pixelate(rasterOf(picture, rows), chosen, 1 << 20, kept))).toEqual(expected);
        expect(readPicture(pixelate(rasterOf(picture, rows), chosen, 0, kept))).toEqual(expected);
      }),
      { numRuns: 150, seed: 14 },
    );
  });

  it('shows no pixel that the end of the picture or a kept area left alone in a block, as its mean', () => {
    const picture = noisePicture(41, 31, 8);
    const before = new Uint32Array(picture.pixels.buffer);
    const corner = [{ block: 10, areas: [{ x: 30, y: 20, width: 11, height: 11 }] }];
    const inside = [{ block: 10, areas: [{ x: 10, y: 10, width: 11, height: 11 }] }];
    // Of the block at 20, 20 one pixel is hidden.
    const kept = [
      { x: 21, y: 10, width: 9, height: 20 },
      { x: 20, y: 21, width: 10, height: 9 },
    ];
    for (const held of [0, 1 << 20]) {
      const end = readPicture(pixelate(rasterOf(picture), corner, held));
      const pixels = new Uint32Array(end.pixels.buffer);
      expect(pixels[30 * 41 + 40]).toBe(pixels[20 * 41 + 30]);
      const cut = new Uint32Array(readPicture(pixelate(rasterOf(picture), inside, held, kept)).pixels.buffer);
      expect(before).toContain(cut[20 * 41 + 20]);
      expect(cut[20 * 41 + 20]).not.toBe(before[20 * 41 + 20]);
    }
  });

  it('changes no pixel outside the covered blocks, and inside a block all are equal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), areas, alpha, (block, chosen, how) => {
        const picture = noisePicture(width, height, 77, how);
        const before = new Uint32Array(picture.pixels.buffer);
        const after = new Uint32Array(
          readPicture(pixelate(rasterOf(picture), [{ block, areas: chosen }], 1 << 20)).pixels.buffer,
        );
        for (const { from: top, to: bottom } of blockBounds(height, block)) {
          for (const { from: left, to: right } of blockBounds(width, block)) {
            const covered = chosen.some(
              (a) => a.x < right && a.x + a.width > left && a.y < bottom && a.y + a.height > top,
            );
            for (let y = top; y < bottom; y++) {
              for (let x = left; x < right; x++) {
                const at = y * width + x;
                expect(after[at]).toBe(covered ? after[top * width + left] : before[at]);
              }
            }
          }
        }
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  it("looks up the areas of all rows that they touch alike once, and so keeps no list of a picture's rows", () => {
    const tall = { width: 1, height: 100_000, pixels: new Uint8Array(400_000) };
    let looks = 0;
    const chosen = Array.from({ length: 10 }, (_, index) => ({
      ...{ x: 0, width: 1, height: 5000 },
      get y() {
        looks++;
        return index * 10_000;
      },
    }));
    for (const limit of [1 << 20, 0]) {
      looks = 0;
      const strips = pixelate(rasterOf(tall, 1000), [{ block: 2, areas: chosen }], limit).strips();
      for (const _ of strips);
      expect(looks).toBeLessThan(100 * chosen.length);
    }
  });

  it('keeps the means of no grid row that was painted: those of a tall picture took gigabytes', () => {
    const tall = { width: 1, height: 1000, pixels: new Uint8Array(4000).fill(200) };
    const areas = [{ x: 0, y: 0, width: 1, height: 1000 }];
    const forget = vi.spyOn(MosaicMeans.prototype, 'forgetBefore');
    for (const _ of pixelate(rasterOf(tall, 100), [{ block: 2, areas }], 1 << 20).strips());
    const [means] = forget.mock.contexts as MosaicMeans[];
    forget.mockRestore();
    for (const y of [0, 500, 998]) {
      const row = new Uint8Array(4);
      means!.paint(y, row);
      expect([y, ...row]).toEqual([y, 0, 0, 0, 0]);
    }
  });

  it('tells of the work of every run of blocks in every row', () => {
    const wide = { width: 400, height: 100, pixels: new Uint8Array(160_000) };
    const work = (columns: number) => {
      const chosen = Array.from({ length: columns }, (_, x) => ({ x: x * 8, y: 0, width: 1, height: 100 }));
      const strips = pixelate(rasterOf(wide), [{ block: 2, areas: chosen }], 1 << 20).strips();
      return [...strips].reduce<number>((sum, strip) => sum + pulledWork(strip, 400), 0);
    };
    expect(work(50) - work(1)).toBe(49 * 100 * SPAN_WORK);
  });

  it('does nothing without an area', () => {
    const source = rasterOf(noisePicture(3, 3, 1));
    expect(pixelate(source, [{ block: 2, areas: [] }], 100)).toBe(source);
  });
});

describe('blockRuns', () => {
  it('counts the runs of blocks of every row, joined ones once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), areas, (block, chosen) => {
        const covered = (x: number, y: number) => {
          const [left, top] = [x - (x % block), y - (y % block)];
          return chosen.some(
            (a) => a.x < left + block && a.x + a.width > left && a.y < top + block && a.y + a.height > top,
          );
        };
        const within = chosen.map((a) => ({ ...a, width: Math.min(a.width, width - a.x) }));
        let runs = 0;
        const whole = Math.ceil(height / block) * block;
        for (let y = 0; y < whole; y++)
          for (let x = 0; x < width; x++) if (covered(x, y) && (x === 0 || !covered(x - 1, y))) runs++;
        expect(blockRuns({ block, areas: within }, whole)).toBe(runs);
      }),
      { numRuns: 100, seed: 6 },
    );
  });
});

describe('blockEdge', () => {
  it('is a percentage of the shortest edge, at least 2', () => {
    expect(blockEdge(3, { width: 4000, height: 3000 })).toBe(90);
    expect(blockEdge(12, { width: 640, height: 480 })).toBe(58);
    expect(blockEdge(1, { width: 40, height: 4000 })).toBe(2);
  });
});

describe('pixelateCost', () => {
  it('holds a delay line while that fits, else only sums and means', () => {
    const photo = { width: 4000, height: 3000 };
    expect(pixelateCost(photo, { finest: 90, coarsest: 90 }, 8 << 20)).toBeGreaterThanOrEqual(90 * 4000 * 4);
    expect(pixelateCost(photo, { finest: 900, coarsest: 900 }, 8 << 20)).toBeLessThan(200_000);
  });

  it('covers every block between the finest and the coarsest', () => {
    const photo = { width: 3000, height: 2000 };
    for (const hold of [1 << 20, 8 << 20]) {
      for (let finest = 2; finest < 900; finest += 50) {
        const most = pixelateCost(photo, { finest, coarsest: 900 }, hold);
        for (let block = finest; block <= 900; block += 10) {
          expect(pixelateCost(photo, { finest: block, coarsest: block }, hold)).toBeLessThanOrEqual(most);
        }
      }
    }
  });

  it('counts no more rows than the picture has', () => {
    expect(pixelateCost({ width: 4000, height: 20 }, { finest: 2, coarsest: 900 }, 8 << 20)).toBeLessThan(
      700_000,
    );
  });
});

describe('readsTwice', () => {
  it('states for every block and limit how often pixelate reads', () => {
    const image = noisePicture(33, 40, 5);
    const counted = { once: 0, twice: 0 };
    for (const block of [2, 5, 9, 20, 40]) {
      for (let held = 0; held < 20_000; held += 700) {
        const source = rasterOf(image);
        let reads = 0;
        const strips = () => {
          reads++;
          return source.strips();
        };
        const mosaic = { block, areas: [{ x: 3, y: 3, width: 8, height: 8 }] };
        for (const _strip of pixelate({ ...source, strips }, [mosaic], held).strips());
        expect(reads).toBe(readsTwice(image, block, held) ? 2 : 1);
        counted[reads === 2 ? 'twice' : 'once']++;
      }
    }
    expect(Math.min(counted.once, counted.twice)).toBeGreaterThan(10);
  });
});
