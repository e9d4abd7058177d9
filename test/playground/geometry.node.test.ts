import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { crop } from '../../src/pixels/crop.ts';
import { touchedPixels as serviceTouchedPixels } from '../../src/pixels/rect.ts';
import { resize } from '../../src/pixels/resize.ts';
import {
  type Box,
  bottom,
  boxBetween,
  fromOutput,
  moved,
  resized,
  right,
  shownSize,
  targetOf,
  toFrame,
  toOutput,
  touchedPixels,
  uprightSize,
  uprightTransform,
} from '../../src/playground/geometry.ts';
import { rasterOf, readPicture } from '../fixtures/raster.ts';

const side = fc.integer({ min: 8, max: 90 });
const size = fc.record({ width: side, height: side });
const part = fc.double({ min: 0, max: 1, noNaN: true });
/** A box inside a picture; each of its sides is at least a tenth of the picture's. */
const boxIn = ({ width, height }: { width: number; height: number }) =>
  fc.tuple(part, part, part, part).map(([x, y, w, h]): Box => {
    const box = { w: Math.max(width / 10, w * width), h: Math.max(height / 10, h * height) };
    return { ...box, x: x * (width - box.w), y: y * (height - box.h) };
  });

/** A picture's size, a crop, a width cap, and a box in the picture. */
const cases = size.chain((frame) =>
  fc.record({
    frame: fc.constant(frame),
    cropped: fc.option(boxIn(frame)),
    maxWidth: fc.option(fc.integer({ min: 16, max: 100 }), { nil: undefined }),
    box: boxIn(frame),
  }),
);

describe('the page follows the service’s own rules', () => {
  it('on which pixels a box touches', () => {
    // Sums of sixteenths are exact, so no result depends on the rounding errors that the page tolerates.
    const edge = fc.integer({ min: -50 * 16, max: 150 * 16 }).map((sixteenths) => sixteenths / 16);
    fc.assert(
      fc.property(size, edge, edge, edge, edge, (image, x, y, w, h) => {
        const box = { x, y, w: Math.abs(w), h: Math.abs(h) };
        fc.pre(box.w > 0 && box.h > 0);
        const expected = serviceTouchedPixels({ x, y, width: box.w, height: box.h }, image);
        const actual = touchedPixels(box, image);
        expect(actual && { x: actual.x, y: actual.y, width: actual.w, height: actual.h }).toEqual(expected);
      }),
      { seed: 8, numRuns: 500 },
    );
  });
});

describe('a box drawn on the displayed picture', () => {
  it('covers the same content in the output for every crop and width cap', () => {
    fc.assert(
      fc.property(cases, ({ frame, cropped, maxWidth, box }) => {
        const drawn = touchedPixels(box, frame)!;
        const target = targetOf(frame, cropped, maxWidth);
        const sent = touchedPixels(toOutput(drawn, target), target.output);

        // A picture that is white inside the box and black outside, after the service's crop and resize.
        const pixels = new Uint8Array(frame.width * frame.height * 4);
        for (let y = 0; y < frame.height; y++) {
          for (let x = 0; x < frame.width; x++) {
            const isInside = x >= drawn.x && x < right(drawn) && y >= drawn.y && y < bottom(drawn);
            pixels.fill(isInside ? 255 : 0, (y * frame.width + x) * 4, (y * frame.width + x) * 4 + 3);
            pixels[(y * frame.width + x) * 4 + 3] = 255;
          }
        }
        const area = { x: target.crop.x, y: target.crop.y, width: target.crop.w, height: target.crop.h };
        const made = readPicture(resize(crop(rasterOf({ ...frame, pixels }), area), target.output));
        expect({ width: made.width, height: made.height }).toEqual(target.output);

        for (let y = 0; y < made.height; y++) {
          for (let x = 0; x < made.width; x++) {
            const isWhite = made.pixels[(y * made.width + x) * 4]! > 128;
            const inSent = sent !== null && x >= sent.x && x < right(sent) && y >= sent.y && y < bottom(sent);
            if (isWhite) expect(inSent).toBe(true);
          }
        }
        // It covers no more than that: less than a pixel beyond the content on each side.
        if (!sent) return;
        const exact = toOutput(drawn, target);
        expect(exact.x - sent.x).toBeLessThan(1);
        expect(exact.y - sent.y).toBeLessThan(1);
        expect(right(sent) - right(exact)).toBeLessThan(1);
        expect(bottom(sent) - bottom(exact)).toBeLessThan(1);
      }),
      { seed: 8, numRuns: 150 },
    );
  });

  it('is converted to the output and back without loss', () => {
    fc.assert(
      fc.property(cases, ({ frame, cropped, maxWidth, box }) => {
        const target = targetOf(frame, cropped, maxWidth);
        const back = fromOutput(toOutput(box, target), target);
        for (const edge of ['x', 'y', 'w', 'h'] as const) expect(back[edge]).toBeCloseTo(box[edge], 8);
      }),
      { seed: 8 },
    );
  });

  it('is the same box at every display size', () => {
    fc.assert(
      fc.property(
        size.chain((frame) => fc.tuple(fc.constant(frame), boxIn(frame))),
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        ([frame, box], scale) => {
          const displayed = { x: 37, y: -12, w: frame.width * scale, h: frame.height * scale };
          const onScreen = (x: number, y: number) =>
            toFrame({ x: displayed.x + x * scale, y: displayed.y + y * scale }, displayed, frame);
          const result = boxBetween(onScreen(right(box), bottom(box)), onScreen(box.x, box.y));
          for (const edge of ['x', 'y', 'w', 'h'] as const) expect(result[edge]).toBeCloseTo(box[edge], 6);
        },
      ),
      { seed: 8 },
    );
  });

  it('ends at the border of the picture when the pointer leaves it', () => {
    const displayed = { x: 10, y: 10, w: 100, h: 50 };
    const frame = { width: 200, height: 100 };
    expect(toFrame({ x: 0, y: 500 }, displayed, frame)).toEqual({ x: 0, y: 100 });
  });
});

describe('moving and resizing', () => {
  const distance = fc.integer({ min: -300, max: 300 });
  const edge = fc.constantFrom(-1 as const, 0 as const, 1 as const);
  const boxes = size.chain((frame) => fc.tuple(fc.constant(frame), boxIn(frame)));
  const inside = (box: Box, { width, height }: { width: number; height: number }) => {
    expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0);
    expect(right(box)).toBeLessThanOrEqual(width + 1e-9);
    expect(bottom(box)).toBeLessThanOrEqual(height + 1e-9);
  };

  it('moving keeps the size and stays inside the picture', () => {
    fc.assert(
      fc.property(boxes, distance, distance, ([frame, box], dx, dy) => {
        const result = moved(box, dx, dy, frame);
        expect([result.w, result.h]).toEqual([box.w, box.h]);
        inside(result, frame);
      }),
      { seed: 8 },
    );
  });

  it('resizing keeps the other edges in place, stays inside and never flips a box', () => {
    fc.assert(
      fc.property(boxes, edge, edge, distance, distance, ([frame, box], horizontal, vertical, dx, dy) => {
        const minSide = Math.min(4, box.w, box.h);
        const result = resized(box, { horizontal, vertical }, dx, dy, frame, minSide);
        inside(result, frame);
        expect(result.w).toBeGreaterThanOrEqual(minSide - 1e-9);
        expect(result.h).toBeGreaterThanOrEqual(minSide - 1e-9);
        if (horizontal >= 0) expect(result.x).toBe(box.x);
        if (horizontal <= 0) expect(right(result)).toBeCloseTo(right(box), 9);
        if (vertical >= 0) expect(result.y).toBe(box.y);
        if (vertical <= 0) expect(bottom(result)).toBeCloseTo(bottom(box), 9);
      }),
      { seed: 8, numRuns: 400 },
    );
  });
});

it('orientations 5 to 8 swap width and height', () => {
  const stored = { width: 3, height: 2 };
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => uprightSize(stored, orientation).width)).toEqual([
    3, 3, 3, 3, 2, 2, 2, 2,
  ]);
});

it.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i is drawn as libvips turns it', async (orientation) => {
  const stored = { width: 3, height: 2 };
  const pixels = [10, 20, 30, 40, 50, 60];
  const file = await sharp(Uint8Array.from(pixels), { raw: { ...stored, channels: 1 } })
    .withMetadata({ orientation })
    .tiff({ compression: 'none' })
    .toBuffer();
  const expected = await sharp(file).rotate().extractChannel(0).raw().toBuffer();
  const [a, b, c, d, e, f] = uprightTransform(stored, orientation);
  const { width, height } = uprightSize(stored, orientation);
  const drawn = new Uint8Array(width * height);
  for (const [i, value] of pixels.entries()) {
    const x = (i % stored.width) + 0.5;
    const y = Math.floor(i / stored.width) + 0.5;
    drawn[Math.floor(b * x + d * y + f) * width + Math.floor(a * x + c * y + e)] = value;
  }
  expect([...drawn]).toEqual([...expected]);
});

it('frames a photo that crops itself by what it shows, which browsers may not', () => {
  const file = { width: 90, height: 70, orientation: 8 };
  expect(shownSize(file)).toEqual({ width: 70, height: 90 });
  expect(shownSize({ ...file, clean_aperture: null })).toEqual({ width: 70, height: 90 });
  const aperture = { x: 8, y: 36, width: 40, height: 33 };
  expect(shownSize({ ...file, clean_aperture: aperture })).toEqual({ width: 40, height: 33 });
});
