import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlap } from '../../src/faces/boxes.ts';
import { blankPicture, inputSize, type Picture } from '../../src/faces/tensor.ts';
import { fillTilted, tiltedSize, untiltBox } from '../../src/faces/tilt.ts';

/** White, with a black disc. */
function disc(width: number, height: number, x: number, y: number, radius: number): Picture {
  const picture = blankPicture({ width, height });
  for (let i = 0; i < width * height; i++) {
    const isInside = Math.hypot((i % width) + 0.5 - x, Math.floor(i / width) + 0.5 - y) <= radius;
    picture.pixels.fill(isInside ? 0 : 255, i * 3, i * 3 + 3);
  }
  return picture;
}

/** Bounding box of what is black among white in a plane of the input: of the disc, not of the border. */
function discIn(tensor: Float32Array, width: number, height: number, picture: Picture, degrees: number) {
  const plain = new Float32Array(tensor.length);
  const white = blankPicture(picture);
  white.pixels.fill(255);
  fillTilted(plain, white, degrees, { width, height });
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let i = 0; i < width * height; i++) {
    if (plain[i]! - tensor[i]! < 128) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  return { x: left, y: top, w: right - left, h: bottom - top, confidence: 0.5 };
}

describe('a tilted picture', () => {
  it('shows a disc where untiltBox says it is', () => {
    const place = fc.record({
      width: fc.integer({ min: 60, max: 200 }),
      height: fc.integer({ min: 60, max: 200 }),
      x: fc.double({ min: 0, max: 1, noNaN: true }),
      y: fc.double({ min: 0, max: 1, noNaN: true }),
      degrees: fc.constantFrom(35, -35, 10, -80),
    });
    fc.assert(
      fc.property(place, ({ width, height, x, y, degrees }) => {
        const radius = 14;
        const centre = { x: radius + x * (width - 2 * radius), y: radius + y * (height - 2 * radius) };
        const picture = disc(width, height, centre.x, centre.y, radius);
        const size = inputSize(tiltedSize(picture, degrees));
        const tensor = new Float32Array(3 * size.width * size.height).fill(7);
        fillTilted(tensor, picture, degrees, size);
        const found = untiltBox(discIn(tensor, size.width, size.height, picture, degrees), degrees, picture);
        const there = { x: centre.x - radius, y: centre.y - radius, w: 2 * radius, h: 2 * radius };
        expect(overlap(found, there)).toBeGreaterThan(0.8);
      }),
      { seed: 31, numRuns: 60 },
    );
  });

  it('is black beyond the picture', () => {
    const picture = blankPicture({ width: 64, height: 32 });
    picture.pixels.fill(200);
    const size = inputSize(tiltedSize(picture, 35));
    const tensor = new Float32Array(3 * size.width * size.height).fill(7);
    fillTilted(tensor, picture, 35, size);
    expect(tensor[0]).toBe(0);
    expect(tensor[size.width * size.height - 1]).toBe(0);
    const { width, height } = tiltedSize(picture, 35);
    expect(tensor[(height >> 1) * size.width + (width >> 1)]).toBe(200);
    const filled = tensor.subarray(0, size.width * size.height).filter((value) => value === 200).length;
    expect(filled / (64 * 32)).toBeCloseTo(1, 1);
  });
});
