import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Turn, turnAfter } from '../../../src/playground/geometry.ts';
import { defaultSettings, planRequest } from '../../../src/playground/settings/ops.ts';
import { turnedTo } from '../../../src/playground/stage/turned_places.ts';
import { emptyState } from '../../../src/playground/state.ts';

const frame = { width: 900, height: 640 };
const photo = { file: new File([], 'a.jpg'), displayUrl: null, displayedBy: null, size: frame };
const face = { x: 100, y: 50, w: 40, h: 60, confidence: 0.9, hidden: true };

const edited = (box: { x: number; y: number; w: number; h: number }) => ({
  photo,
  detectedFaces: [face, { ...face, x: 500 }],
  settings: {
    ...defaultSettings,
    regions: [{ ...box, id: 1, fill: 'solid' as const }],
    crop: box,
  },
});

const box = fc.record({
  x: fc.integer({ min: 0, max: 600 }),
  y: fc.integer({ min: 0, max: 400 }),
  w: fc.integer({ min: 1, max: 200 }),
  h: fc.integer({ min: 1, max: 200 }),
});

describe('turnedTo', () => {
  it('takes every box along, and brings it back after four turns', () => {
    fc.assert(
      fc.property(box, (drawn) => {
        const before = edited(drawn);
        const turned = turnedTo(before, 90);
        const { x, y, w, h } = drawn;
        const expected = { x: frame.height - y - h, y: x, w: h, h: w };
        expect(turned.photo?.size).toEqual({ width: 640, height: 900 });
        expect(turned.settings.crop).toEqual(expected);
        expect(turned.settings.regions).toEqual([{ ...before.settings.regions[0], ...expected }]);
        expect(turned.detectedFaces?.[0]).toEqual({ ...face, x: 640 - 50 - 60, y: 100, w: 60, h: 40 });
        let state = before as Parameters<typeof turnedTo>[0];
        for (let i = 0; i < 4; i++) state = turnedTo(state, turnAfter(state.settings.turn, 90));
        expect(state).toEqual(before);
      }),
      { seed: 3 },
    );
  });

  it('is the same in one step as in several', () => {
    const before = edited({ x: 1, y: 2, w: 3, h: 4 });
    const steps = turnedTo(turnedTo(turnedTo(before, 90), 180), 270);
    expect(turnedTo(before, 270)).toEqual(steps);
    expect(turnedTo(steps, 0)).toEqual(before);
  });

  it('asks for the turn, with all coordinates of the turned photo', () => {
    const { photo: shown, settings, detectedFaces } = turnedTo(edited({ x: 10, y: 20, w: 30, h: 40 }), 90);
    const known = { detectedFaces, kindsLookedFor: [] };
    const { ops } = planRequest({ ...settings, crop: null }, known, shown!.size!);
    expect(ops.rotate).toBe(90);
    expect(ops.pixelate?.regions).toContainEqual({ x: 580, y: 10, w: 40, h: 30, fill: 'solid' });
    const upright = edited({ x: 10, y: 20, w: 30, h: 40 });
    expect(planRequest(upright.settings, emptyState, frame).ops).not.toHaveProperty('rotate');
  });

  it('leaves what has no size yet as it is', () => {
    const unknown = { ...edited({ x: 1, y: 2, w: 3, h: 4 }), photo: null };
    expect(turnedTo(unknown, 90 as Turn)).toEqual(unknown);
  });
});
