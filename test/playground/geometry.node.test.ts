import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crop } from '../../src/pixels/crop.ts';
import { touchedPixels as serviceTouchedPixels } from '../../src/pixels/rect.ts';
import { resize, sizeUnder as serviceSizeUnder } from '../../src/pixels/resize.ts';
import {
  type Box,
  bottom,
  boxBetween,
  fromOutput,
  moved,
  resized,
  right,
  sizeUnder,
  targetOf,
  toFrame,
  toOutput,
  touchedPixels,
  uprightSize,
} from '../../src/playground/geometry.ts';
import { rasterOf, readPicture } from '../fixtures/raster.ts';

const side = fc.integer({ min: 8, max: 90 });
const size = fc.record({ width: side, height: side });
const part = fc.double({ min: 0, max: 1, noNaN: true });
/** A box inside a picture, by parts of its sides; at least a tenth of each. */
const boxIn = ({ width, height }: { width: number; height: number }) =>
  fc.tuple(part, part, part, part).map(([x, y, w, h]): Box => {
    const box = { w: Math.max(width / 10, w * width), h: Math.max(height / 10, h * height) };
    return { ...box, x: x * (width - box.w), y: y * (height - box.h) };
  });

/** A picture, what of it is kept, its largest width, and a box on it. */
const cases = size.chain((frame) =>
  fc.record({
    frame: fc.constant(frame),
    cropped: fc.option(boxIn(frame)),
    maxWidth: fc.option(fc.integer({ min: 16, max: 100 }), { nil: undefined }),
    box: boxIn(frame),
  }),
);

describe('the service’s own rules, kept by the page', () => {
  it('which pixels a box touches', () => {
    // Sixteenths: sums of these are exact, so that nothing hangs on rounding noise, which the page forgives.
    const edge = fc.integer({ min: -50 * 16, max: 150 * 16 }).map((sixteenths) => sixteenths / 16);
    fc.assert(
      fc.property(size, edge, edge, edge, edge, (image, x, y, w, h) => {
        const box = { x, y, w: Math.abs(w), h: Math.abs(h) };
        fc.pre(box.w > 0 && box.h > 0);
        const known = serviceTouchedPixels({ x, y, width: box.w, height: box.h }, image);
        const ours = touchedPixels(box, image);
        expect(ours && { x: ours.x, y: ours.y, width: ours.w, height: ours.h }).toEqual(known);
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('the size under a width cap', () => {
    fc.assert(
      fc.property(
        size,
        fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined }),
        (image, maxWidth) => {
          expect(sizeUnder(maxWidth, image)).toEqual(serviceSizeUnder(maxWidth, image));
        },
      ),
      { seed: 8, numRuns: 300 },
    );
  });
});

describe('a box drawn on the shown picture', () => {
  it('covers the same content in the output, whatever the crop and the largest width', () => {
    fc.assert(
      fc.property(cases, ({ frame, cropped, maxWidth, box }) => {
        const drawn = touchedPixels(box, frame)!;
        const target = targetOf(frame, cropped, maxWidth);
        const sent = touchedPixels(toOutput(drawn, target), target.output);

        // White where the box was drawn, black elsewhere, through the service's own crop and resize.
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
        // And no more: it reaches less than a pixel beyond where the content lies.
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

  it('comes back from the output to where it was drawn', () => {
    fc.assert(
      fc.property(cases, ({ frame, cropped, maxWidth, box }) => {
        const target = targetOf(frame, cropped, maxWidth);
        const back = fromOutput(toOutput(box, target), target);
        for (const edge of ['x', 'y', 'w', 'h'] as const) expect(back[edge]).toBeCloseTo(box[edge], 8);
      }),
      { seed: 8 },
    );
  });

  it('is the same box at every size of display', () => {
    fc.assert(
      fc.property(
        size.chain((frame) => fc.tuple(fc.constant(frame), boxIn(frame))),
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        ([frame, box], scale) => {
          const shown = { x: 37, y: -12, w: frame.width * scale, h: frame.height * scale };
          const onScreen = (x: number, y: number) =>
            toFrame({ x: shown.x + x * scale, y: shown.y + y * scale }, shown, frame);
          const read = boxBetween(onScreen(right(box), bottom(box)), onScreen(box.x, box.y));
          for (const edge of ['x', 'y', 'w', 'h'] as const) expect(read[edge]).toBeCloseTo(box[edge], 6);
        },
      ),
      { seed: 8 },
    );
  });

  it('ends at the border of the picture, wherever the pointer goes', () => {
    const shown = { x: 10, y: 10, w: 100, h: 50 };
    const frame = { width: 200, height: 100 };
    expect(toFrame({ x: 0, y: 500 }, shown, frame)).toEqual({ x: 0, y: 100 });
  });
});

describe('moving and resizing', () => {
  const far = fc.integer({ min: -300, max: 300 });
  const edge = fc.constantFrom(-1 as const, 0 as const, 1 as const);
  const framed = size.chain((frame) => fc.tuple(fc.constant(frame), boxIn(frame)));
  const inside = (box: Box, { width, height }: { width: number; height: number }) => {
    expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0);
    expect(right(box)).toBeLessThanOrEqual(width + 1e-9);
    expect(bottom(box)).toBeLessThanOrEqual(height + 1e-9);
  };

  it('moving keeps the size and stays inside', () => {
    fc.assert(
      fc.property(framed, far, far, ([frame, box], dx, dy) => {
        const there = moved(box, dx, dy, frame);
        expect([there.w, there.h]).toEqual([box.w, box.h]);
        inside(there, frame);
      }),
      { seed: 8 },
    );
  });

  it('resizing leaves the other edges where they are, stays inside and never turns a box inside out', () => {
    fc.assert(
      fc.property(framed, edge, edge, far, far, ([frame, box], across, along, dx, dy) => {
        const least = Math.min(4, box.w, box.h);
        const there = resized(box, { across, along }, dx, dy, frame, least);
        inside(there, frame);
        expect(there.w).toBeGreaterThanOrEqual(least - 1e-9);
        expect(there.h).toBeGreaterThanOrEqual(least - 1e-9);
        if (across >= 0) expect(there.x).toBe(box.x);
        if (across <= 0) expect(right(there)).toBeCloseTo(right(box), 9);
        if (along >= 0) expect(there.y).toBe(box.y);
        if (along <= 0) expect(bottom(there)).toBeCloseTo(bottom(box), 9);
      }),
      { seed: 8, numRuns: 400 },
    );
  });
});

it('turned pictures swap their sides', () => {
  const stored = { width: 3, height: 2 };
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => uprightSize(stored, orientation).width)).toEqual([
    3, 3, 3, 3, 2, 2, 2, 2,
  ]);
});
