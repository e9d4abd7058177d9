import { expect, it } from 'vitest';
import { countFoundAgain } from '../../scripts/eval_faces/again.ts';
import { createFaceDetector } from '../../src/faces/detector.ts';
import { redFinder, redRaster } from '../fixtures/red_finder.ts';

const detector = createFaceDetector(redFinder());
const at = (x: number) => redRaster(200, 200, { x, y: 50, w: 40, h: 50 });
const pictures = [20, 40, 100].map((x) => ({ open: async () => ({ raster: at(x) }) }));

it('counts a face as found again only where it was', async () => {
  const grey = redRaster(200, 200, { x: 0, y: 0, w: 0, h: 0 });
  expect(await countFoundAgain(pictures, detector, 0.6, async () => grey)).toEqual({ covered: 3, again: 0 });
  expect(await countFoundAgain(pictures, detector, 0.6, async (raster) => raster)).toEqual({
    covered: 3,
    again: 3,
  });
  // Where the second was, and near enough to where the first was to share a quarter.
  expect(await countFoundAgain(pictures, detector, 0.6, async () => at(40))).toEqual({
    covered: 3,
    again: 2,
  });
  expect(
    await countFoundAgain([{ open: async () => ({ raster: grey }) }], detector, 0.6, async () => at(40)),
  ).toEqual({
    covered: 0,
    again: 0,
  });
});
