import { expect, it } from 'vitest';
import { type Box, overlap } from '../../src/faces/boxes.ts';
import { DetectorMemory } from '../../src/faces/detector_memory.ts';
import { inputFloats } from '../../src/faces/memory_plan.ts';
import { PassRunner } from '../../src/faces/pass_runner.ts';
import { Sightings } from '../../src/faces/proposals.ts';
import { blankPicture } from '../../src/faces/tensor.ts';
import { Viewer } from '../../src/faces/viewer.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { redFinder } from '../fixtures/red_finder.ts';

/** A picture of half the raster's size with something red, and a viewer of it. */
function redPicture(red: Box, rotation: 0 | 1 | 2 | 3 = 0) {
  const memory = DetectorMemory.open(4 * inputFloats + 100_000);
  const picture = blankPicture({ width: 200, height: 120 }, memory);
  for (let y = red.y; y < red.y + red.h; y++)
    for (let x = red.x; x < red.x + red.w; x++) picture.pixels[(y * picture.width + x) * 3] = 255;
  const viewer = new Viewer({ width: 400, height: 240 }, new PassRunner(memory, 0, uninterrupted));
  const inRaster = { x: 2 * red.x, y: 2 * red.y, w: 2 * red.w, h: 2 * red.h };
  return { memory, picture, viewer, to: new Sightings(rotation), inRaster };
}

it.each([0, 1, 2, 3] as const)(
  'places what the whole shows in the raster, turned %i, with a margin',
  async (turns) => {
    const { memory, picture, viewer, to, inRaster } = redPicture({ x: 20, y: 30, w: 40, h: 50 }, turns);
    using _memory = memory;
    const view = viewer.viewOf(picture);
    await viewer.showWhole(picture, to, view, redFinder(), 40);
    expect(view).toEqual({ weight: 1, scale: 0.5, leastSide: 10 });
    expect(to.views).toEqual([view]);
    expect(to.proposals).toEqual([expect.objectContaining({ ...inRaster, view, pass: 1, cut: false })]);
  },
);

it.each([0, 1, 2, 3] as const)('places what parts of an enlarged picture show, turned %i', async (turns) => {
  const { memory, picture, viewer, to, inRaster } = redPicture({ x: 40, y: 40, w: 24, h: 30 }, turns);
  using _memory = memory;
  const size = { width: 300, height: 180 };
  const parts = [{ x: 30, y: 30, w: 128, h: 128 }];
  await viewer.showEnlarged(picture, { size, parts, isAll: false }, to, redFinder());
  expect(to.proposals).toHaveLength(1);
  expect(overlap(to.proposals[0]!, inRaster)).toBeGreaterThan(0.9);
  const [view] = to.views;
  expect(view).toMatchObject({ weight: 2, scale: 0.75, mostSide: 96 });
  expect(view!.shows!(inRaster)).toBe(true);
  expect(view!.shows!({ ...inRaster, x: 300 })).toBe(false);
});

it('takes no box that a part cuts, but those that a tile of all of it does', async () => {
  const { memory, picture, viewer, to } = redPicture({ x: 40, y: 40, w: 24, h: 30 });
  using _memory = memory;
  const size = { width: 300, height: 180 };
  const parts = [{ x: 0, y: 0, w: 64, h: 192 }];
  await viewer.showEnlarged(picture, { size, parts, isAll: false }, to, redFinder());
  expect(to.proposals).toEqual([]);
  await viewer.showEnlarged(picture, { size, parts, isAll: true }, to, redFinder());
  expect(to.proposals).toEqual([expect.objectContaining({ cut: true })]);
  expect(to.views.map(({ shows }) => shows !== undefined)).toEqual([true, false]);
});

it('makes no view of no parts', async () => {
  const { memory, picture, viewer, to } = redPicture({ x: 40, y: 40, w: 24, h: 30 });
  using _memory = memory;
  const model = redFinder();
  await viewer.showEnlarged(picture, { size: picture, parts: [], isAll: false }, to, model);
  expect([to.views, model.inputs]).toEqual([[], []]);
});

it('places what tiles show, and tells what they cut', async () => {
  const { memory, picture, viewer, to, inRaster } = redPicture({ x: 86, y: 40, w: 40, h: 50 });
  using _memory = memory;
  const tile = { width: 128, height: 128 };
  const show = viewer.tileShower({ size: picture, tile, lefts: [0, 72], tops: [0] }, to, redFinder());
  await show(picture, 0, 0);
  await show(picture, 72, 0);
  expect(to.proposals).toEqual([
    expect.objectContaining({ ...inRaster, cut: true, pass: 1 }),
    expect.objectContaining({ ...inRaster, cut: false, pass: 2 }),
  ]);
});
