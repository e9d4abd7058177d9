import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockMeans, type Pixels } from '../../../src/playground/stage/block_means.ts';
import { seededBelow } from '../../fixtures/random.ts';

/** Parts of a pixel that places may lie at. */
const PARTS = 4;

function noise(width: number, height: number, seed: number): Pixels {
  const below = seededBelow(seed);
  const data = Uint8ClampedArray.from({ length: width * height * 4 }, () => below(256));
  // Some are transparent altogether.
  for (let at = 3; at < data.length; at += 4) if (below(4) === 0) data[at] = 0;
  return { data, width, height };
}

/** The mean of what lies between two corners, in parts of a pixel, counted part by part. */
function naiveMean({ data, width, height }: Pixels, left: number, top: number, end: number, foot: number) {
  const sums = [0, 0, 0, 0];
  let parts = 0;
  for (let y = Math.max(0, top); y < Math.min(height * PARTS, foot); y++) {
    for (let x = Math.max(0, left); x < Math.min(width * PARTS, end); x++) {
      const at = (Math.floor(y / PARTS) * width + Math.floor(x / PARTS)) * 4;
      const opacity = data[at + 3]!;
      for (const channel of [0, 1, 2]) sums[channel]! += opacity * data[at + channel]!;
      sums[3]! += opacity;
      parts++;
    }
  }
  const opacity = sums[3]!;
  return opacity === 0 ? [0, 0, 0, 0] : [...sums.slice(0, 3).map((sum) => sum / opacity), opacity / parts];
}

it('blocks have the mean of what they cover, by opacity, cut at the edge of what counts', () => {
  const edge = fc.integer({ min: PARTS, max: 6 * PARTS });
  const place = fc.integer({ min: 0, max: 3 * PARTS });
  const side = fc.integer({ min: 8, max: 20 });
  fc.assert(
    fc.property(side, side, edge, edge, place, place, (width, height, across, down, x, y) => {
      const picture = noise(width, height, across * 31 + down);
      const crop = { x, y, w: width * PARTS - x - 1, h: height * PARTS - y };
      const columns = Math.ceil(crop.w / across);
      const rows = Math.ceil(crop.h / down);
      const inPixels = (box: typeof crop) => ({
        x: box.x / PARTS,
        y: box.y / PARTS,
        w: box.w / PARTS,
        h: box.h / PARTS,
      });
      const means = blockMeans(
        picture,
        inPixels({ x, y, w: across, h: down }),
        { width: columns, height: rows },
        inPixels(crop),
      );
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          const left = x + column * across;
          const top = y + row * down;
          const end = Math.min(left + across, crop.x + crop.w);
          const expected = naiveMean(picture, left, top, end, Math.min(top + down, crop.y + crop.h));
          const at = (row * columns + column) * 4;
          for (const channel of [0, 1, 2, 3]) {
            expect(Math.abs(means.data[at + channel]! - expected[channel]!)).toBeLessThanOrEqual(0.501);
          }
        }
      }
    }),
    { seed: 3, numRuns: 40 },
  );
});
