import { expect, it, vi } from 'vitest';
import type { DetectedBox, Detector, View, ViewPlan } from '../../src/detectors/detector.ts';
import { MAX_TILES, searchBytes, searchViews, tilingOf } from '../../src/detectors/search.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { seededBelow } from '../fixtures/random.ts';
import { rasterOf } from '../fixtures/raster.ts';

/** Black, with white squares of 12 pixels at these places. */
function squares(width: number, height: number, places: readonly (readonly [number, number])[]) {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  for (const [left, top] of places) {
    for (let y = top; y < top + 12; y++)
      pixels.fill(255, (y * width + left) * 4, (y * width + left + 12) * 4);
  }
  return rasterOf({ width, height, pixels }, 7);
}

/** Finds the hull of what is white from a pixel on, for each such hull. */
function whiteBoxes({ width, height, data }: View): DetectedBox[] {
  const found: DetectedBox[] = [];
  const isWhite = (x: number, y: number) => x < width && y < height && data[(y * width + x) * 4]! > 127;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isCorner = isWhite(x, y) && !(x > 0 && isWhite(x - 1, y)) && !(y > 0 && isWhite(x, y - 1));
      if (!isCorner) continue;
      let [w, h] = [0, 0];
      while (isWhite(x + w, y)) w++;
      while (isWhite(x, y + h)) h++;
      // A part of a square at a tile's border is the less sure.
      found.push({ x, y, w, h, confidence: Math.min(0.95, (w * h) / 150), kind: 'square' });
    }
  }
  return found;
}

const detectorOf = (views: readonly ViewPlan[]): Detector => ({
  name: 'squares',
  kinds: ['square'],
  views,
  detect: whiteBoxes,
});

const search = (raster: ReturnType<typeof squares>, detector: Detector, confidence = 0.5) =>
  searchViews(raster, detector, confidence, uninterrupted);

it('finds in tiles what lies across their borders, once', async () => {
  const below = seededBelow(5);
  for (let run = 0; run < 20; run++) {
    const [width, height] = [150 + below(200), 150 + below(200)];
    const places = [0, 1, 2].map((third) => {
      const x = 20 + third * 40 + below(12);
      return [x, 20 + below(height - 60)] as const;
    });
    const found = await search(squares(width, height, places), detectorOf([{ tiles: 64, overlap: 24 }]));
    const boxes = found.map(({ x, y, w, h }) => [x, y, w, h]).sort(([a], [b]) => a! - b!);
    expect(boxes).toEqual(places.map(([x, y]) => [x, y, 12, 12]));
  }
});

it('shows the whole shrunk, and says where things are in the picture itself', async () => {
  const [box] = await search(squares(640, 320, [[320, 160]]), detectorOf([{ whole: 320 }]), 0.1);
  expect(box).toMatchObject({ x: 320, y: 160, w: 12, h: 12 });
});

it('makes tiles coarser where there would be too many', () => {
  const { lefts, tops, size } = tilingOf({ tiles: 320 }, { width: 12_000, height: 4_000 });
  expect(lefts.length * tops.length).toBeLessThanOrEqual(MAX_TILES);
  expect(lefts.at(-1)! + 320).toBe(size.width);
  expect(tops.at(-1)! + 320).toBe(size.height);
});

it('covers every picture with tiles that keep to it', () => {
  const below = seededBelow(6);
  for (let run = 0; run < 300; run++) {
    const picture = { width: 1 + below(3000), height: 1 + below(3000) };
    const plan = { tiles: 32 + below(600), overlap: below(64), scale: (1 + below(100)) / 100 };
    const { size, tile, lefts, tops } = tilingOf(plan, picture);
    for (const [starts, side, length] of [
      [lefts, tile.width, size.width],
      [tops, tile.height, size.height],
    ] as const) {
      expect(starts[0]).toBe(0);
      expect(starts.at(-1)! + side).toBe(length);
      for (let at = 1; at < starts.length; at++)
        expect(starts[at]! - starts[at - 1]!).toBeLessThanOrEqual(side);
    }
  }
});

it('merges kinds apart, and keeps to the confidence asked for', async () => {
  const box = { x: 1, y: 1, w: 8, h: 8 };
  const detector: Detector = {
    name: 'two',
    kinds: ['a', 'b'],
    detect: () => [
      { ...box, confidence: 0.9, kind: 'a' },
      { ...box, confidence: 0.8, kind: 'b' },
      { ...box, x: 1.5, confidence: 0.7, kind: 'a' },
      { ...box, x: 20, confidence: 0.3, kind: 'b' },
    ],
  };
  const found = await search(squares(40, 40, []), detector, 0.4);
  expect(found.map(({ kind, confidence }) => [kind, confidence])).toEqual([
    ['a', 0.9],
    ['b', 0.8],
  ]);
});

it.each([
  ['no list', 'none'],
  ['a box of nothing', [null]],
  ['a kind of its own', [{ x: 1, y: 1, w: 1, h: 1, confidence: 0.9, kind: 'cat' }]],
  ['no number', [{ x: Number.NaN, y: 1, w: 1, h: 1, confidence: 0.9, kind: 'square' }]],
])('refuses an answer of %s', async (_, answer) => {
  const detector = { ...detectorOf([{ whole: 64 }]), detect: () => answer as never };
  await expect(search(squares(40, 40, []), detector)).rejects.toThrow(/Detector squares: Expected/);
});

it('gives way between kinds: of many with a thousand boxes each, all at once held the thread', async () => {
  const spendTime = vi.fn(() => undefined);
  const kinds = Array.from({ length: 20 }, (_, n) => `k${n}`);
  const boxes = Array.from({ length: 2000 }, (_, n) => ({
    x: (n % 100) * 2,
    y: Math.floor(n / 100) * 10,
    w: 1,
    h: 1,
    confidence: 0.9,
    kind: kinds[n % 20]!,
  }));
  const detector = { ...detectorOf([{ whole: 256 }]), kinds, detect: () => boxes };
  const found = await searchViews(squares(256, 256, []), detector, 0.5, { ...uninterrupted, spendTime });
  expect(found).toHaveLength(1000);
  expect(spendTime.mock.calls.map(([time]: unknown[]) => time)).toEqual(kinds.map(() => 100 ** 2 * 4));
});

it('gives way before each view, and ends with its signal', async () => {
  const end = vi.fn(() => undefined);
  const slice = { ...uninterrupted, end };
  const controller = new AbortController();
  let views = 0;
  const detector: Detector = {
    ...detectorOf([{ tiles: 64, overlap: 0 }]),
    detect: () => {
      if (++views === 3) controller.abort(new Error('gone'));
      return [];
    },
  };
  const raster = squares(256, 256, []);
  await expect(searchViews(raster, detector, 0.5, slice, controller.signal)).rejects.toThrow('gone');
  expect([views, end.mock.calls.length]).toEqual([3, 3]);
});

it('counts the bytes of the largest plan, and the detector’s own', () => {
  const small = detectorOf([{ whole: 64 }]);
  const both = { ...detectorOf([{ whole: 64 }, { tiles: 256 }]), memory: 1000 };
  const size = { width: 4000, height: 3000 };
  expect(searchBytes(both, size)).toBeGreaterThan(searchBytes(small, size) + 1000);
  expect(searchBytes(both, size)).toBeGreaterThan(tilingOf({ tiles: 256 }, size).size.width * 256 * 3);
});
