import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParameterFault } from '../../src/faults.ts';
import { areaInShrunk, cropArea } from '../../src/sanitize/crop_area.ts';

const image = { width: 100, height: 50 };

describe('the crop', () => {
  it('is the whole image where none was asked for', () => {
    expect(cropArea(undefined, image)).toEqual({ x: 0, y: 0, ...image });
  });

  it('covers every pixel it touches, clipped to the image', () => {
    const crop = { x: 90.5, y: 10.2, width: 20, height: 0.1 };
    expect(cropArea(crop, image)).toEqual({ x: 90, y: 10, width: 10, height: 1 });
  });

  it('is refused wholly outside, with what was expected and what came', () => {
    const outside = () => cropArea({ x: 100, y: 0, width: 5, height: 5 }, image);
    expect(outside).toThrow(ParameterFault);
    expect(outside).toThrow('100 × 50 pixels but received x 100, y 0, width 5, height 5');
  });
});

describe('an area of the image as its decoder has shrunk it', () => {
  it('covers the same part, whatever the factor', () => {
    const numbers = fc.tuple(fc.nat(999), fc.nat(999), fc.integer({ min: 1, max: 1000 }));
    fc.assert(
      fc.property(numbers, numbers, fc.constantFrom(1, 2, 4, 8), (across, down, factor) => {
        const [size, x, width] = span(across);
        const [sizeDown, y, height] = span(down);
        const shrunk = { width: Math.ceil(size / factor), height: Math.ceil(sizeDown / factor) };
        const found = areaInShrunk({ x, y, width, height }, factor, shrunk);
        expect(found.x * factor).toBeLessThanOrEqual(x);
        expect((found.x + found.width) * factor).toBeGreaterThanOrEqual(x + width);
        expect(found.width * factor).toBeLessThan(width + 2 * factor);
        expect(found.y * factor).toBeLessThanOrEqual(y);
        expect((found.y + found.height) * factor).toBeGreaterThanOrEqual(y + height);
        expect(found.x + found.width).toBeLessThanOrEqual(shrunk.width);
      }),
      { seed: 11 },
    );
  });

  it('throws where the area lies outside, rather than giving a picture of one pixel', () => {
    const impossible = () =>
      areaInShrunk({ x: 800, y: 0, width: 10, height: 10 }, 8, { width: 100, height: 50 });
    expect(impossible).toThrow('lies outside 100 × 50');
  });
});

/** A length, and a stretch inside it. */
function span([a, b, extra]: readonly number[]): [length: number, start: number, stretch: number] {
  const start = Math.min(a!, b!);
  const stretch = Math.abs(a! - b!) + 1;
  return [start + stretch + extra!, start, stretch];
}
