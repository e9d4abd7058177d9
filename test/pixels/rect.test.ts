import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { touchedPixels } from '../../src/pixels/rect.ts';

describe('touchedPixels', () => {
  it('rounds left and top down, right and bottom up, and clips', () => {
    const image = { width: 10, height: 8 };
    expect(touchedPixels({ x: 1.9, y: 2.1, width: 3, height: 1 }, image)).toEqual({
      x: 1,
      y: 2,
      width: 4,
      height: 2,
    });
    expect(touchedPixels({ x: 8, y: 7.5, width: 100, height: 1e300 }, image)).toEqual({
      x: 8,
      y: 7,
      width: 2,
      height: 1,
    });
    expect(touchedPixels({ x: -5, y: -5, width: 6, height: 6 }, image)).toEqual({
      x: 0,
      y: 0,
      width: 1,
      height: 1,
    });
  });

  it('finds nothing outside', () => {
    const image = { width: 10, height: 8 };
    expect(touchedPixels({ x: 10, y: 0, width: 5, height: 5 }, image)).toBeNull();
    expect(touchedPixels({ x: 0, y: 8, width: 5, height: 5 }, image)).toBeNull();
    expect(touchedPixels({ x: -4, y: 0, width: 4, height: 5 }, image)).toBeNull();
  });

  it('holds every pixel whose square the rectangle overlaps, and no other', () => {
    const number = fc.double({ min: -5, max: 15, noNaN: true });
    const extent = fc.double({ min: 0.01, max: 15, noNaN: true });
    fc.assert(
      fc.property(number, number, extent, extent, (x, y, width, height) => {
        const area = touchedPixels({ x, y, width, height }, { width: 10, height: 8 });
        for (let py = 0; py < 8; py++) {
          for (let px = 0; px < 10; px++) {
            const overlaps = px < x + width && px + 1 > x && py < y + height && py + 1 > y;
            const inside =
              area !== null &&
              px >= area.x &&
              px < area.x + area.width &&
              py >= area.y &&
              py < area.y + area.height;
            expect(inside).toBe(overlaps);
          }
        }
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});
