import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Orientation } from '../../src/codecs/types.ts';
import { orient } from '../../src/pixels/orient.ts';
import { turnedOrientation, turnedRect } from '../../src/pixels/quarter_turn.ts';
import { QUARTER_TURNS } from '../../src/vocabulary/vocabulary.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

const orientations: Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];
const all = orientations.flatMap((orientation) => QUARTER_TURNS.map((turn) => [orientation, turn] as const));

describe('turnedOrientation', () => {
  it.each(all)('%i, turned by %i degrees, is what sharp turns the upright picture to', async (of, turn) => {
    const picture = noisePicture(21, 14, of);
    const { width, height, pixels } = readPicture(orient(rasterOf(picture), of, 256));
    const { data, info } = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .rotate(turn)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const turned = readPicture(orient(rasterOf(picture), turnedOrientation(of, turn), 256));
    expect([turned.width, turned.height]).toEqual([info.width, info.height]);
    expect(Buffer.compare(data, Buffer.from(turned.pixels))).toBe(0);
  });
});

describe('turnedRect', () => {
  it('holds the same pixels after the turn as before it', () => {
    const part = { x: 4, y: 1, width: 9, height: 5 };
    const { width, height, pixels } = noisePicture(21, 14, 1);
    // Every pixel is told apart by its place.
    for (let at = 0; at < pixels.length; at++) pixels[at] = (at >> 2) >> (8 * (at & 3));
    const picture = { width, height, pixels };
    const within = (of: typeof picture, { x, y, width: w, height: h }: typeof part) =>
      Array.from({ length: w * h }, (_, at) => {
        const [column, row] = [x + (at % w), y + Math.floor(at / w)];
        return new Uint32Array(of.pixels.slice().buffer)[row * of.width + column];
      }).toSorted();
    for (const [turn, orientation] of [
      [90, 6],
      [180, 3],
      [270, 8],
    ] as const) {
      const turned = readPicture(orient(rasterOf(picture), orientation, 1024)) as typeof picture;
      expect(within(turned, turnedRect(part, picture, turn))).toEqual(within(picture, part));
    }
  });

  it('comes back after four quarter turns, fractions too', () => {
    const side = fc.double({ min: 0.01, max: 500, noNaN: true });
    fc.assert(
      fc.property(side, side, side, side, (x, y, width, height) => {
        let [rect, size] = [
          { x, y, width, height },
          { width: 1200, height: 1100 },
        ];
        for (let i = 0; i < 4; i++) {
          rect = turnedRect(rect, size, 90);
          size = { width: size.height, height: size.width };
        }
        for (const name of ['x', 'y', 'width', 'height'] as const) {
          expect(rect[name]).toBeCloseTo({ x, y, width, height }[name], 6);
        }
      }),
      { seed: 1 },
    );
  });
});
