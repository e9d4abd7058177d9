import { expect, it } from 'vitest';
import { hidingToo, missedSpots } from '../../../src/playground/result/missed_spots.ts';
import { planRequest } from '../../../src/playground/settings/ops.ts';
import type { Face } from '../../../src/playground/settings/pixelation_plan.ts';
import { emptyState, type Result, type State } from '../../../src/playground/state.ts';

const frame = { width: 1000, height: 800 };
const face: Face = { x: 100, y: 100, w: 60, h: 80, confidence: 0.9, hidden: true };
const doubtful: Face = { ...face, x: 400, confidence: 0.5 };
/** Padded by 1.5, as reports have them, and tight. */
const hand = { x: 585, y: 280, w: 90, h: 120, confidence: 0.7 };
const tightHand = { x: 600, y: 300, w: 60, h: 80 };
const sameFace = { x: 88, y: 84, w: 90, h: 120, confidence: 0.7 };

const stateOf = (change: Partial<State> = {}): State => ({ ...emptyState, detectedFaces: [face], ...change });
const resultOf = (state: State, report: Partial<Result['report']> = { secondLook: [hand] }) =>
  ({
    request: planRequest(state.settings, state, frame),
    report: { belowConfidence: [], ...report },
  }) as unknown as Result;
const spotsOf = (state: State, report?: Partial<Result['report']>) =>
  missedSpots(resultOf(state, report), state);

it('are what the second look lists and what is uncertain, once each, as tight boxes of the frame', () => {
  expect(spotsOf(stateOf())).toMatchObject([tightHand]);
  const settings = { ...emptyState.settings, maxWidth: 500, padding: 1 };
  expect(spotsOf(stateOf({ settings }))).toMatchObject([{ x: 1170, y: 560, w: 180, h: 240 }]);
  const listed = { x: 385, y: 80, w: 90, h: 120, confidence: 0.5 };
  const both = spotsOf(stateOf({ detectedFaces: [face, doubtful] }), { secondLook: [hand, listed] });
  expect(both).toMatchObject([doubtful, tightHand]);
  expect(spotsOf(stateOf({ detectedFaces: null }), { belowConfidence: [hand] })).toMatchObject([tightHand]);
});

it('are none with faces off, and no faces that a person leaves visible or covers', () => {
  const settings = { ...emptyState.settings, faces: false };
  expect(spotsOf(stateOf({ settings }))).toEqual([]);
  expect(
    spotsOf(stateOf({ detectedFaces: [{ ...face, hidden: false }] }), { secondLook: [sameFace] }),
  ).toEqual([]);
  const regions = [{ ...tightHand, id: 1, fill: 'solid' as const }];
  expect(spotsOf(stateOf({ settings: { ...emptyState.settings, regions } }))).toEqual([]);
});

it('become faces that the person added, and are gone from the offer', () => {
  for (const before of [stateOf(), stateOf({ detectedFaces: [face, { ...doubtful, ...tightHand }] })]) {
    const [spot] = spotsOf(before);
    const after = { ...before, ...hidingToo(before, spot!) };
    expect(after.detectedFaces).toHaveLength(2);
    expect(after.detectedFaces![1]).toMatchObject({ ...tightHand, hidden: true, isAdded: true });
    expect(missedSpots(resultOf(before), after)).toEqual([]);
    const { areas } = resultOf(after).request.ops.pixelate!;
    expect(areas).toContainEqual({ x: 585, y: 280, w: 90, h: 120 });
  }
});

it('are covered in one colour where blocks were not enough, and by a region where nobody has looked', () => {
  const before = stateOf();
  const [spot] = spotsOf(before, { secondLook: [sameFace] });
  const after = { ...before, ...hidingToo(before, spot!) };
  expect(after.detectedFaces).toEqual([{ ...face, isAdded: true, fill: 'solid' }]);
  expect(missedSpots(resultOf(before, { secondLook: [sameFace] }), after)).toEqual([]);
  const unknown = stateOf({ detectedFaces: null });
  const { settings } = hidingToo(unknown, { ...face, ...tightHand });
  expect(settings!.regions).toMatchObject([{ x: 585, y: 280, w: 90, h: 120, fill: 'solid' }]);
});
