import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, sharedArea } from '../../src/faces/boxes.ts';
import { passSide, planDetection } from '../../src/faces/detection_plan.ts';
import { enlargedParts, showsUncut } from '../../src/faces/enlarged_parts.ts';

const raster = { width: 1152, height: 864 };
const tiling = planDetection(raster).enlarged!;
const scale = tiling.size.width / raster.width;
/** Longer boxes, in enlarged pixels, are not enlarged. */
const mostSide = 80;

const found = (x: number, y: number, side: number, logit = 0) => ({ x, y, w: side, h: side, logit });
const partsOf = (...boxes: readonly ReturnType<typeof found>[]) => enlargedParts(boxes, tiling, raster.width);
const inEnlarged = ({ x, y, w, h }: Box): Box => ({ x: x * scale, y: y * scale, w: w * scale, h: h * scale });

describe('enlargedParts', () => {
  it('shows the surroundings of small boxes, and nothing where there is none', () => {
    expect(partsOf()).toEqual({ size: tiling.size, parts: [], isAll: false });
    const { parts } = partsOf(found(500, 400, 24));
    // 160 enlarged pixels about the centre.
    const centre = { x: Math.round(512 * scale - 80), y: Math.round(412 * scale - 80) };
    expect(parts).toEqual([{ ...centre, w: 160, h: 160 }]);
    const [larger] = partsOf(found(500, 400, 45)).parts;
    expect(larger!.w).toBeGreaterThanOrEqual(4 * 45 * scale);
  });

  it('leaves out boxes that are large, or hardly faces', () => {
    const most = mostSide / scale;
    expect(partsOf(found(500, 400, most + 1), found(100, 100, 30, -2.6)).parts).toEqual([]);
    expect(partsOf(found(500, 400, most - 1), found(100, 100, 30, -2.4)).parts).toHaveLength(2);
  });

  it('joins parts that share most of their pixels', () => {
    expect(partsOf(found(500, 400, 30), found(520, 400, 30)).parts).toHaveLength(1);
    expect(partsOf(found(200, 400, 30), found(900, 400, 30)).parts).toHaveLength(2);
  });

  it('shows all tiles where parts would be no fewer pixels', () => {
    const crowd = Array.from({ length: 200 }, (_, i) => found((i % 20) * 57, Math.floor(i / 20) * 85, 30));
    const { parts, isAll } = partsOf(...crowd);
    expect(isAll).toBe(true);
    expect(parts).toHaveLength(tiling.lefts.length * tiling.tops.length);
    expect(parts.at(-1)).toEqual({
      x: tiling.lefts.at(-1),
      y: tiling.tops.at(-1),
      w: tiling.tile.width,
      h: tiling.tile.height,
    });
  });

  it('makes parts that fit an input and the picture, each box uncut in one, of any picture and boxes', () => {
    const side = fc.integer({ min: 40, max: 1400 });
    const box = fc.record({
      x: fc.double({ min: -0.3, max: 1.3, noNaN: true }),
      y: fc.double({ min: -0.3, max: 1.3, noNaN: true }),
      w: fc.double({ min: 4, max: 60, noNaN: true }),
      h: fc.double({ min: 4, max: 60, noNaN: true }),
      logit: fc.double({ min: -2.5, max: 5, noNaN: true }),
    });
    fc.assert(
      fc.property(side, side, fc.array(box, { maxLength: 40 }), (width, height, boxes) => {
        const { enlarged } = planDetection({ width, height });
        if (!enlarged) return;
        const { size, tile, lefts, tops } = enlarged;
        const placed = boxes.map((one) => ({ ...one, x: one.x * width, y: one.y * height }));
        const { parts, isAll } = enlargedParts(placed, enlarged, width);
        const pixels = parts.reduce((sum, { w, h }) => sum + w * h, 0);
        expect(pixels).toBeLessThanOrEqual(lefts.length * tops.length * tile.width * tile.height);
        if (isAll) return;
        for (const { x, y, w, h } of parts) {
          expect([x, y, w / 32, h / 32].every(Number.isInteger)).toBe(true);
          expect(Math.max(w, h)).toBeLessThanOrEqual(passSide);
          expect([x >= 0, y >= 0, x < size.width, y < size.height]).toEqual([true, true, true, true]);
          // It reaches over an edge only if the picture is smaller.
          if (x > 0) expect(x + w).toBeLessThanOrEqual(size.width);
          if (y > 0) expect(y + h).toBeLessThanOrEqual(size.height);
        }
        const toEnlarged = size.width / width;
        const picture = { x: 0, y: 0, w: size.width, h: size.height };
        for (const { x, y, w, h } of placed) {
          const [larger, inside] = [
            { x: x * toEnlarged, y: y * toEnlarged, w: w * toEnlarged, h: h * toEnlarged },
            { x: 0, y: 0, w: width, h: height },
          ];
          if (Math.max(larger.w, larger.h) > mostSide) continue;
          // Only of boxes that lie in the picture.
          if (sharedArea({ x, y, w, h }, inside) < w * h || sharedArea(larger, picture) === 0) continue;
          expect(showsUncut(parts, larger, size)).toBe(true);
        }
      }),
      { seed: 39 },
    );
  });
});

describe('showsUncut', () => {
  it('is true of boxes within a part, or at an edge of the picture, not of those that a part cuts', () => {
    const parts = [{ x: 0, y: 320, w: 320, h: 320 }];
    const shows = (x: number, y: number) => showsUncut(parts, { x, y, w: 40, h: 40 }, tiling.size);
    expect([shows(140, 420), shows(-5, 420), shows(140, 318), shows(290, 420), shows(600, 420)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(showsUncut(parts, inEnlarged({ x: 50, y: 300, w: 20, h: 20 }), tiling.size)).toBe(true);
  });
});
