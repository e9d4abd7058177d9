import { describe, expect, it } from 'vitest';
import type { Size } from '../../src/codecs/types.ts';
import { fill, fillBeneath } from '../../src/pixels/fill.ts';
import { resize } from '../../src/pixels/resize.ts';
import { RowSpans, runsOf } from '../../src/pixels/row_spans.ts';
import { SPAN_WORK } from '../../src/scheduling/work.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, pulledWork, rasterOf, readPicture } from '../fixtures/raster.ts';

const red = { red: 200, green: 10, blue: 30 };
/** Grey and opaque are certain, as by an op, or by the format. */
const sure = { grey: true, opaque: true };
const areas = [
  { x: 2, y: 3, width: 5, height: 4 },
  { x: 0, y: 6, width: 4, height: 90 },
];

describe('fill', () => {
  stepCases((source) => fill(source, [{ x: 0, y: 0, width: 1, height: 1 }], red, sure));

  it('paints every pixel of the areas opaque, whatever was there, and no other', () => {
    const picture = noisePicture(12, 30, 5, 'any');
    const { pixels } = readPicture(fill(rasterOf(picture, 7), areas, red, sure));
    for (let y = 0; y < 30; y++) {
      for (let x = 0; x < 12; x++) {
        const inside = areas.some((a) => x >= a.x && x < a.x + a.width && y >= a.y && y < a.y + a.height);
        const at = (y * 12 + x) * 4;
        const expected = inside ? [200, 10, 30, 255] : [...picture.pixels.subarray(at, at + 4)];
        expect([...pixels.subarray(at, at + 4)]).toEqual(expected);
      }
    }
  });

  it('tells of the work of every run in every row', () => {
    const source = rasterOf(noisePicture(12, 30, 5));
    const work = (area: typeof areas) =>
      [...fill(source, area, red, sure).strips()].reduce<number>(
        (sum, strip) => sum + pulledWork(strip, 12),
        0,
      );
    expect(work(areas) - work([])).toBe(runsOf(areas, 30) * SPAN_WORK);
  });

  it('leaves a grey image grey only where the colour is', () => {
    const grey = { width: 1, height: 1, pixels: Uint8Array.of(7, 7, 7, 255) };
    const one = [{ x: 0, y: 0, width: 1, height: 1 }];
    expect(fill(rasterOf(grey), one, red, sure).grey).toBe(false);
    expect(fill(rasterOf(grey), one, { red: 9, green: 9, blue: 9 }, sure).grey).toBe(true);
    const unsure = { grey: false, opaque: false };
    const { grey: isGrey, opaque } = fill(rasterOf(grey), one, { red: 9, green: 9, blue: 9 }, unsure);
    expect([isGrey, opaque]).toEqual([false, false]);
  });

  it('returns the source itself where nothing is to be filled', () => {
    const source = rasterOf(noisePicture(3, 3, 1));
    expect(fill(source, [], red, sure)).toBe(source);
  });
});

/** An output in a raster of all that it is made from. */
const viewOf = (from: Size, to: Size, scale = 1) => ({
  across: (from.width / to.width) * scale,
  down: (from.height / to.height) * scale,
  left: 0,
  top: 0,
});

describe('fillBeneath', () => {
  const size = { width: 60, height: 45 };
  const to = { width: 23, height: 17 };
  const round = { x: 12, y: 2, width: 9, height: 8, ellipse: { x: 12.2, y: 2.4, width: 8.3, height: 7.1 } };
  const area = {
    all: [
      [round],
      { of: [{ x: 0, y: 9, width: 23, height: 8 }], without: [{ x: 3, y: 9, width: 4, height: 5 }] },
    ],
  };
  stepCases((source) =>
    fillBeneath(
      source,
      [{ x: 0, y: 0, width: 1, height: 1 }],
      red,
      sure,
      viewOf(source, { width: 1, height: 1 }),
    ),
  );

  const isBeneath = (x: number, y: number, { across, down, left, top } = viewOf(size, to)) => {
    const spans = new RowSpans(area);
    for (let row = Math.floor((y - top) / down); row * down < y + 1 - top; row++)
      for (let column = Math.floor((x - left) / across); column * across < x + 1 - left; column++)
        if (spans.at(row).some(({ start, end }) => start <= column && column < end)) return true;
    return false;
  };

  it.each([
    ['an output that is smaller', viewOf(size, to)],
    [
      'one that is larger, as pictures for detection are shrunk',
      viewOf(size, { width: 23, height: 17 }, 0.4),
    ],
    ['a part of what is shown', { across: 1.5, down: 1.25, left: 7.5, top: 3.25 }],
  ])('paints every pixel that a part of the area lies on, and no other: %s', (_name, view) => {
    const picture = noisePicture(size.width, size.height, 5, 'any');
    const { pixels } = readPicture(fillBeneath(rasterOf(picture, 7), area, red, sure, view));
    let beneath = 0;
    for (let y = 0; y < size.height; y++) {
      for (let x = 0; x < size.width; x++) {
        const at = (y * size.width + x) * 4;
        const isHidden = isBeneath(x, y, view);
        if (isHidden) beneath++;
        expect([...pixels.subarray(at, at + 4)]).toEqual(
          isHidden ? [200, 10, 30, 255] : [...picture.pixels.subarray(at, at + 4)],
        );
      }
    }
    expect(beneath).toBeGreaterThan(50);
  });

  it('leaves a resize nothing to bring beside the fill', () => {
    const picture = noisePicture(size.width, size.height, 6);
    const other = noisePicture(size.width, size.height, 7);
    for (let i = 0; i < picture.pixels.length; i += 4) {
      const at = i / 4;
      if (!isBeneath(at % size.width, Math.floor(at / size.width)))
        other.pixels.set(picture.pixels.subarray(i, i + 4), i);
    }
    const resized = (from: typeof picture, isFilled: boolean) => {
      const source = rasterOf(from);
      return readPicture(
        resize(isFilled ? fillBeneath(source, area, red, sure, viewOf(size, to)) : source, to),
      ).pixels;
    };
    expect(resized(other, true)).toEqual(resized(picture, true));
    expect(resized(other, false)).not.toEqual(resized(picture, false));
  });

  it('returns the source itself where nothing is filled', () => {
    const source = rasterOf(noisePicture(3, 3, 1));
    expect(fillBeneath(source, [], red, sure, viewOf(source, { width: 2, height: 2 }))).toBe(source);
  });
});
