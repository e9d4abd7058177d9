import { describe, expect, it } from 'vitest';
import { fill } from '../../src/pixels/fill.ts';
import { runsOf } from '../../src/pixels/row_spans.ts';
import { SPAN_WORK } from '../../src/scheduling/work.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, pulledWork, rasterOf, readPicture } from '../fixtures/raster.ts';

const red = { red: 200, green: 10, blue: 30 };
const areas = [
  { x: 2, y: 3, width: 5, height: 4 },
  { x: 0, y: 6, width: 4, height: 90 },
];

describe('fill', () => {
  stepCases((source) => fill(source, [{ x: 0, y: 0, width: 1, height: 1 }], red));

  it('paints every pixel of the areas opaque, whatever was there, and no other', () => {
    const picture = noisePicture(12, 30, 5, 'any');
    const { pixels } = readPicture(fill(rasterOf(picture, 7), areas, red));
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
      [...fill(source, area, red).strips()].reduce<number>((sum, strip) => sum + pulledWork(strip, 12), 0);
    expect(work(areas) - work([])).toBe(runsOf(areas, 30) * SPAN_WORK);
  });

  it('leaves a grey image grey only where the colour is', () => {
    const grey = { width: 1, height: 1, pixels: Uint8Array.of(7, 7, 7, 255) };
    const one = [{ x: 0, y: 0, width: 1, height: 1 }];
    expect(fill(rasterOf(grey), one, red).grey).toBe(false);
    expect(fill(rasterOf(grey), one, { red: 9, green: 9, blue: 9 }).grey).toBe(true);
  });

  it('returns the source itself where nothing is to be filled', () => {
    const source = rasterOf(noisePicture(3, 3, 1));
    expect(fill(source, [], red)).toBe(source);
  });
});
