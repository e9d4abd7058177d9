import { describe, expect, it } from 'vitest';
import { itaGroup, toneOf, tonesOf } from '../../scripts/eval_faces/skin.ts';

describe('the tone of a face', () => {
  it('is the typology angle of its colour, and none where there is no colour', () => {
    // CIELAB of sRGB's red (D65) is 53.24, 80.09, 67.20, of its yellow 97.14, -21.55, 94.48.
    expect(toneOf(255, 0, 0).ita).toBeCloseTo((Math.atan(3.24 / 67.2) * 180) / Math.PI, 1);
    expect(toneOf(255, 255, 0).ita).toBeCloseTo((Math.atan(47.14 / 94.48) * 180) / Math.PI, 1);
    expect(toneOf(90, 90, 90)).toEqual({ luma: expect.closeTo(90, 6), ita: undefined });
  });

  it.each([
    [60, 'very light'],
    [41.1, 'light'],
    [28.1, 'intermediate'],
    [10.1, 'tan'],
    [-29, 'brown'],
    [-31, 'dark'],
  ])('of %d degrees is %s', (ita, group) => expect(itaGroup(ita)).toBe(group));

  it('is taken from the middle of the label, whatever strips its rows come in', () => {
    const [width, height, rows] = [40, 30, 4];
    const colour = (x: number, y: number) =>
      x >= 15 && x < 25 && y >= 10 && y < 20 ? [200, 160, 140] : [0, 0, 255];
    const raster = {
      width,
      *strips() {
        for (let y = 0; y < height; y += rows) {
          const lines = Math.min(rows, height - y);
          const pixels = Array.from({ length: width * lines }, (_, i) => [
            ...colour(i % width, y + Math.floor(i / width)),
            255,
          ]);
          yield { y, rows: lines, pixels: Uint8Array.from(pixels.flat()) };
        }
      },
    };
    const face = { x: 10, y: 5, w: 20, h: 20 };
    const [tone, outside] = tonesOf(raster, [face, { ...face, x: 100 }]);
    expect(tone).toEqual(toneOf(200, 160, 140));
    expect(outside).toBeUndefined();
  });
});
