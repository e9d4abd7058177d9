import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  centredView,
  clampedView,
  fittedView,
  isInView,
  maxZoomOf,
  pinchedView,
  type ViewTransform,
  zoomedAbout,
} from '../../../src/playground/stage/view_transform.ts';

const side = fc.integer({ min: 20, max: 2000 });
const size = fc.record({ width: side, height: side });
const offset = fc.double({ min: -5000, max: 5000, noNaN: true });
const zoom = fc.double({ min: 1, max: 12, noNaN: true });
const view = fc.record({ zoom, x: offset, y: offset });
const point = fc.record({ x: offset, y: offset });

/** Where a point of the photo, in CSS pixels at zoom 1, is displayed. */
const shown = ({ zoom: by, x, y }: ViewTransform, at: { x: number; y: number }) => ({
  x: at.x * by + x,
  y: at.y * by + y,
});
/** The point of the photo that is displayed there. */
const under = ({ zoom: by, x, y }: ViewTransform, at: { x: number; y: number }) => ({
  x: (at.x - x) / by,
  y: (at.y - y) / by,
});

describe('a view', () => {
  it('leaves no side of the stage empty that the photo can fill, and centres what is smaller', () => {
    fc.assert(
      fc.property(view, size, size, (wanted, viewport, share) => {
        const content = {
          width: Math.min(viewport.width, share.width),
          height: Math.min(viewport.height, share.height),
        };
        const clamped = clampedView(wanted, { content, viewport }, 20);
        for (const [length, place, room] of [
          [content.width, clamped.x, viewport.width],
          [content.height, clamped.y, viewport.height],
        ] as const) {
          const start = (room - length) / 2 + place;
          const end = start + length * clamped.zoom;
          if (length * clamped.zoom <= room) expect(start).toBeCloseTo(room - end, 6);
          else {
            expect(start).toBeLessThanOrEqual(1e-6);
            expect(end).toBeGreaterThanOrEqual(room - 1e-6);
          }
        }
        // Clamped again, nothing changes.
        const again = clampedView(clamped, { content, viewport }, 20);
        expect(again.x).toBeCloseTo(clamped.x, 6);
        expect(again.y).toBeCloseTo(clamped.y, 6);
      }),
      { seed: 25 },
    );
  });

  it('is the whole photo at zoom 1 and no larger than the most', () => {
    const sizes = { content: { width: 300, height: 200 }, viewport: { width: 400, height: 300 } };
    expect(clampedView({ zoom: 0.3, x: 80, y: -9 }, sizes, 8)).toEqual(fittedView);
    expect(clampedView({ zoom: 99, x: 0, y: 0 }, sizes, 8).zoom).toBe(8);
    // Up to four CSS pixels for a pixel, and always at least fourfold.
    expect(maxZoomOf({ width: 300, height: 200 }, { width: 6000, height: 4000 })).toBe(80);
    expect(maxZoomOf({ width: 300, height: 200 }, { width: 30, height: 20 })).toBe(4);
  });

  it('zoomed about a point leaves it where it is', () => {
    fc.assert(
      fc.property(view, zoom, point, (from, to, at) => {
        const photo = under(from, at);
        const after = shown(zoomedAbout(from, to, at), photo);
        expect(after.x).toBeCloseTo(at.x, 4);
        expect(after.y).toBeCloseTo(at.y, 4);
      }),
      { seed: 26 },
    );
  });

  it('pinched keeps what lies in the middle of both fingers there, as far apart as they are', () => {
    fc.assert(
      fc.property(view, point, point, point, point, (from, a, b, c, d) => {
        const before = Math.hypot(a.x - b.x, a.y - b.y);
        const after = Math.hypot(c.x - d.x, c.y - d.y);
        fc.pre(before > 2);
        const to = pinchedView(from, [a, b], [c, d], 1e9);
        expect(to.zoom).toBeCloseTo(Math.max(1, (from.zoom * after) / before), 6);
        const middle = { x: (c.x + d.x) / 2, y: (c.y + d.y) / 2 };
        const held = shown(to, under(from, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }));
        expect(held.x).toBeCloseTo(middle.x, 4);
        expect(held.y).toBeCloseTo(middle.y, 4);
      }),
      { seed: 27 },
    );
  });

  it('centred on a box has it in sight where it fits', () => {
    const sizes = { content: { width: 300, height: 200 }, viewport: { width: 400, height: 300 } };
    const box = { x: 10, y: 150, w: 30, h: 40 };
    const near = centredView(box, 5, sizes);
    expect(isInView(box, near, sizes)).toBe(true);
    const { x, y } = shown(near, { x: 25, y: 170 });
    expect({ x, y }).toEqual({ x: 150, y: 100 });
    expect(isInView(box, { ...near, x: near.x + 200 }, sizes)).toBe(false);
    expect(isInView(box, centredView(box, 20, sizes), sizes)).toBe(false);
  });
});
