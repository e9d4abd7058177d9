import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelsThatFit } from '../../../src/playground/stage/face_labels.ts';

const label = { width: 24, height: 20 };

describe('labels of faces', () => {
  it('are left out where they would fill the box or cover another label', () => {
    const large = { x: 0, y: 0, w: 100, h: 120 };
    expect(labelsThatFit([large, { x: 300, y: 0, w: 14, h: 18 }], label)).toEqual([true, false]);
    expect(labelsThatFit([large, { ...large, x: 10, y: 10 }], label)).toEqual([true, false]);
    expect(labelsThatFit([large, { ...large, x: 24 }], label)).toEqual([true, true]);
  });

  it('never lie on each other, and cover a quarter of a box at most', () => {
    const place = fc.integer({ min: 0, max: 360 });
    const length = fc.integer({ min: 2, max: 90 });
    const box = fc.record({ x: place, y: place, w: length, h: length });
    fc.assert(
      fc.property(fc.array(box, { maxLength: 30 }), (boxes) => {
        const fits = labelsThatFit(boxes, label);
        const shown = boxes.filter((_, index) => fits[index]);
        for (const { w, h } of shown) {
          expect(label.width * label.height).toBeLessThanOrEqual((w * h) / 4);
        }
        shown.forEach((a, index) => {
          for (const b of shown.slice(index + 1)) {
            const isApart = Math.abs(a.x - b.x) >= label.width || Math.abs(a.y - b.y) >= label.height;
            expect(isApart).toBe(true);
          }
        });
      }),
      { seed: 25 },
    );
  });
});
