import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Face } from '../../../src/playground/settings/pixelation_plan.ts';
import { uncertainSpots } from '../../../src/playground/stage/uncertain_spots.ts';
import { belowConfidence } from '../../../src/sanitize/answered.ts';

const settings = { confidence: 0.6, padding: 1.5 };
const spot = (x: number, confidence: number, isAdded = false): Face => ({
  ...{ x, y: 100, w: 40, h: 50, confidence, hidden: true, isAdded },
});

describe('uncertain spots', () => {
  it('are those near the confidence, five at most, apart from what is a face or hidden', () => {
    const faces = [spot(0, 0.9), spot(45, 0.55), spot(200, 0.41), spot(300, 0.39), spot(400, 0.59)];
    expect(uncertainSpots(faces, [], settings)).toEqual([faces[2], faces[4]]);
    expect(uncertainSpots(faces, [{ x: 410, y: 110, w: 5, h: 5 }], settings)).toEqual([faces[2]]);
    const many = Array.from({ length: 9 }, (_, index) => spot(100 * index, 0.5 + index / 100));
    expect(uncertainSpots(many, [], settings)).toEqual(many.slice(4));
  });

  it('stay listed once they are added, whatever is drawn over them', () => {
    const added = spot(0, 0.45, true);
    const region = { x: 0, y: 100, w: 40, h: 50 };
    expect(uncertainSpots([added], [region], settings)).toEqual([added]);
    const many = Array.from({ length: 7 }, (_, index) => spot(100 * index, 0.5 + index / 100, index === 0));
    expect(uncertainSpots(many, [], settings)).toEqual([many[0], ...many.slice(3)]);
  });

  it('are the ones that the service would list', () => {
    const box = fc.record({
      x: fc.integer({ min: 0, max: 900 }),
      y: fc.integer({ min: 0, max: 900 }),
      w: fc.integer({ min: 10, max: 90 }),
      h: fc.integer({ min: 10, max: 90 }),
      // Apart from the limits and from each other, so that rounding decides nothing.
      confidence: fc.integer({ min: 1, max: 999 }).map((value) => value / 1000 + 0.0003),
    });
    fc.assert(
      fc.property(fc.uniqueArray(box, { selector: (one) => one.confidence, maxLength: 25 }), (boxes) => {
        const faces = boxes.map((one) => ({ ...one, hidden: true }));
        const hidden = boxes
          .filter(({ confidence }) => confidence >= settings.confidence)
          .map(({ x, y, w, h }) => ({ x: x - w / 4, y: y - h / 4, w: w * 1.5, h: h * 1.5 }));
        const candidates = boxes.filter(({ confidence }) => confidence < settings.confidence);
        const picture = { width: 1000, height: 1000 };
        const listed = belowConfidence(candidates, hidden, picture, { ...settings, padding: 1 });
        const shown = uncertainSpots(faces, [], settings).toSorted((a, b) => b.confidence - a.confidence);
        expect(shown.map(({ confidence }) => Math.round(confidence * 1000) / 1000)).toEqual(
          listed.map(({ confidence }) => confidence),
        );
      }),
      { seed: 25 },
    );
  });
});
