import { describe, expect, it } from 'vitest';
import { resize, resizeCost, sizeUnder } from '../../src/pixels/resize.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

const third = (size: number) => Math.max(1, Math.round(size / 3));

describe('shrink', () => {
  stepCases((source) => resize(source, { width: third(source.width), height: third(source.height) }));

  it('keeps an even colour exactly, whatever the sizes and the alpha', () => {
    for (const pixel of [
      [200, 100, 3, 255],
      [200, 100, 3, 128],
      [0, 0, 0, 0],
      [255, 255, 255, 255],
    ]) {
      const pixels = Uint8Array.from(Array.from({ length: 31 * 23 }, () => pixel).flat());
      const small = readPicture(resize(rasterOf({ width: 31, height: 23, pixels }), { width: 7, height: 5 }));
      for (let i = 0; i < small.pixels.length; i += 4) {
        const tolerance = pixel[3] === 255 ? 0 : 1;
        for (let c = 0; c < 4; c++)
          expect(Math.abs(small.pixels[i + c]! - pixel[c]!)).toBeLessThanOrEqual(tolerance);
      }
    }
  });

  it('takes no colour from transparent pixels', () => {
    // Red and opaque beside green and transparent: no green may bleed in.
    const pixels = Uint8Array.from(
      Array.from({ length: 64 * 8 }, (_, i) => (i % 2 ? [0, 255, 0, 0] : [255, 0, 0, 255])).flat(),
    );
    const small = readPicture(resize(rasterOf({ width: 64, height: 8, pixels }), { width: 8, height: 2 }));
    for (let i = 0; i < small.pixels.length; i += 4) {
      expect(small.pixels[i]).toBeGreaterThan(250);
      expect(small.pixels[i + 1]).toBe(0);
      expect(Math.abs(small.pixels[i + 3]! - 128)).toBeLessThan(12);
    }
  });

  it('shrinks what the picture shows of a source that reaches a little beyond it', () => {
    // A ramp of 4 levels a pixel, of which 9.375 columns and 8.5 rows are shown.
    const pixels = Uint8Array.from(
      Array.from({ length: 10 * 9 }, (_, i) => [
        40 + 4 * (i % 10),
        40 + 4 * Math.floor(i / 10),
        0,
        255,
      ]).flat(),
    );
    const source = rasterOf({ width: 10, height: 9, pixels });
    const small = readPicture(resize(source, { width: 5, height: 4 }, { width: 9.375, height: 8.5 }));
    const at = (x: number, y: number, channel: number) => small.pixels[(y * 5 + x) * 4 + channel]!;
    expect(Math.abs(at(2, 1, 0) - (38 + 4 * (2.5 * 1.875)))).toBeLessThanOrEqual(1);
    expect(Math.abs(at(2, 2, 1) - (38 + 4 * (2.5 * 2.125)))).toBeLessThanOrEqual(1);
  });

  it('keeps the one row that a wide picture has left, of however little it is', () => {
    const pixels = new Uint8Array(40 * 4).fill(255);
    const small = readPicture(
      resize(
        rasterOf({ width: 40, height: 1, pixels }),
        { width: 16, height: 1 },
        { width: 39.2, height: 0.125 },
      ),
    );
    expect(small.pixels.every((value) => value === 255)).toBe(true);
  });

  it('passes through when the size stays', () => {
    const source = rasterOf(noisePicture(4, 4, 1));
    expect(resize(source, { width: 4, height: 4 })).toBe(source);
  });
});

describe('sizeUnder', () => {
  it('caps the width, keeps the aspect, never enlarges, never vanishes', () => {
    expect(sizeUnder(1600, { width: 4000, height: 3000 })).toEqual({ width: 1600, height: 1200 });
    expect(sizeUnder(5000, { width: 4000, height: 3000 })).toEqual({ width: 4000, height: 3000 });
    expect(sizeUnder(undefined, { width: 3, height: 5 })).toEqual({ width: 3, height: 5 });
    expect(sizeUnder(16, { width: 50_000, height: 1 })).toEqual({ width: 16, height: 1 });
    expect(sizeUnder(100, { width: 333, height: 125 })).toEqual({ width: 100, height: 38 });
  });
});

describe('resizeCost', () => {
  it('is nothing without a resize and stays a few rows for 50 megapixels', () => {
    const photo = { width: 8660, height: 5773 };
    expect(resizeCost(photo, photo)).toBe(0);
    expect(resizeCost(photo, { width: 1600, height: 1067 })).toBeLessThan(1_500_000);
    expect(resizeCost(photo, { width: 1600, height: 1067 })).toBeGreaterThan(1600 * 16 * 6);
  });

  it('is the same for any height of the same scale: taps of a tall picture are made row by row', () => {
    const to = (height: number) => ({ width: 16, height: height / 25 });
    expect(resizeCost({ width: 400, height: 10_000 }, to(10_000))).toBe(
      resizeCost({ width: 400, height: 125_000 }, to(125_000)),
    );
  });
});
