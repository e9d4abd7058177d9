import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Orientation, Raster } from '../../src/codecs/types.ts';
import { overlap, scaleBox } from '../../src/faces/boxes.ts';
import { createFaceDetector } from '../../src/faces/detector.ts';
import { crop } from '../../src/pixels/crop.ts';
import { orient } from '../../src/pixels/orient.ts';
import { resize, sizeUnder } from '../../src/pixels/resize.ts';
import { stripsOf } from '../fixtures/raster.ts';
import { redFinder, redRaster } from '../fixtures/red_finder.ts';

/** Bounding box of what is more red than grey. */
function redIn(raster: Raster) {
  let [left, top, right, bottom] = [raster.width, raster.height, 0, 0];
  for (const { y, rows, pixels } of stripsOf(raster)) {
    for (let i = 0; i < rows * raster.width; i++) {
      if (pixels[i * 4]! - pixels[i * 4 + 1]! < 127) continue;
      const [px, py] = [i % raster.width, y + Math.floor(i / raster.width)];
      [left, top] = [Math.min(left, px), Math.min(top, py)];
      [right, bottom] = [Math.max(right, px + 1), Math.max(bottom, py + 1)];
    }
  }
  return { x: left, y: top, w: right - left, h: bottom - top };
}

const detector = createFaceDetector(redFinder());
const orientations: Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

it.each(orientations)(
  'a face lands on its own pixels after orientation %i, any crop and any maxWidth',
  async (orientation) => {
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    const plan = fc.record({
      x: part,
      y: part,
      left: part,
      top: part,
      right: part,
      bottom: part,
      narrow: part,
    });
    await fc.assert(
      fc.asyncProperty(plan, async (at) => {
        // Longer than a pass shows, so that the finest view is tiles.
        const stored = { width: 960, height: 720 };
        const red = { x: 100 + Math.round(at.x * 700), y: 100 + Math.round(at.y * 500), w: 56, h: 72 };
        const upright = orient(redRaster(stored.width, stored.height, red), orientation, 1 << 20);
        const face = redIn(upright);
        // A crop around it, from a hair to the whole picture.
        const x = Math.floor(face.x * at.left);
        const y = Math.floor(face.y * at.top);
        const right = Math.ceil(face.x + face.w + (upright.width - face.x - face.w) * at.right);
        const bottom = Math.ceil(face.y + face.h + (upright.height - face.y - face.h) * at.bottom);
        const cropped = crop(upright, { x, y, width: right - x, height: bottom - y });
        const output = sizeUnder(Math.max(16, Math.round(cropped.width * (0.3 + at.narrow))), cropped);

        const { faces } = await detector.detect(cropped, { confidence: 0.6, effort: 'thorough' });
        const mapped = scaleBox(faces[0]!, output.width / cropped.width, output.height / cropped.height);
        expect(faces).toHaveLength(1);
        expect(overlap(mapped, redIn(resize(cropped, output)))).toBeGreaterThan(0.8);
      }),
      { seed: orientation, numRuns: 6 },
    );
  },
);
