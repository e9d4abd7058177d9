import { expect, it } from 'vitest';
import { secondLookSpots } from '../../../src/playground/result/second_look_spots.ts';
import { defaultSettings, planRequest } from '../../../src/playground/settings/ops.ts';
import type { Face } from '../../../src/playground/settings/pixelation_plan.ts';
import { emptyState, type Result } from '../../../src/playground/state.ts';

const frame = { width: 1000, height: 800 };
const face: Face = { x: 100, y: 100, w: 60, h: 80, confidence: 0.9, hidden: true };
/** Padded by 1.5, as the report has them. */
const hand = { x: 585, y: 280, w: 90, h: 120, confidence: 0.7 };
const sameFace = { x: 88, y: 84, w: 90, h: 120, confidence: 0.7 };
const resultOf = (change: Partial<typeof defaultSettings> = {}) => {
  const request = planRequest({ ...defaultSettings, ...change }, [face], frame);
  return { request, report: { secondLook: [hand, sameFace] } } as unknown as Result;
};
const stateOf = (change: object = {}) => ({ ...emptyState, detectedFaces: [face], ...change });

it('are what no known face covers, as tight boxes of the frame', () => {
  expect(secondLookSpots(resultOf(), stateOf())).toEqual([{ x: 600, y: 300, w: 60, h: 80 }]);
  // In a smaller output.
  const [spot] = secondLookSpots(resultOf({ maxWidth: 500, padding: 1 }), stateOf());
  expect(spot).toEqual({ x: 1170, y: 560, w: 180, h: 240 });
});

it('are none where nobody has looked for faces, and none that were taken back', () => {
  expect(secondLookSpots(resultOf(), stateOf({ detectedFaces: null }))).toEqual([]);
  const settings = { ...emptyState.settings, spared: [{ x: 600, y: 300, w: 60, h: 80 }] };
  expect(secondLookSpots(resultOf(), stateOf({ settings }))).toEqual([]);
});
