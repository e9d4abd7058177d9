import { expect, it } from 'vitest';
import {
  describeCount,
  describeFaces,
  describeThings,
  describeVisible,
} from '../../../src/playground/settings/counts.ts';
import type { Face } from '../../../src/playground/settings/pixelation_plan.ts';
import { emptyState, planOf, type State } from '../../../src/playground/state.ts';

const face: Face = { x: 100, y: 100, w: 60, h: 80, confidence: 0.9, hidden: true };
const plate: Face = { ...face, x: 400, h: 20, kind: 'plate' };
const photo = {
  file: new File([], 'a.jpg'),
  displayUrl: null,
  displayedBy: null,
  size: { width: 1000, height: 800 },
};
const stateOf = (
  detectedFaces: readonly Face[] | null,
  settings: Partial<State['settings']> = {},
): State => ({
  ...emptyState,
  ...{ photo, detectedFaces, kindsLookedFor: ['plate', 'text'] },
  settings: { ...emptyState.settings, ...settings },
});
const visibleIn = (state: State) => describeVisible(planOf(state)?.pixelation);

it('things are counted in words, and what is visible is said', () => {
  expect(describeCount('plate', { count: 1, visible: 0 })).toBe('1 plate found, hidden');
  expect(describeCount('plate', { count: 2, visible: 0 })).toBe('2 plates found, both hidden');
  expect(describeCount('text', { count: 12, visible: 0 })).toBe('12 texts found, all hidden');
  expect(describeCount('text', { count: 12, visible: 1 })).toBe('12 texts found, 11 of 12 hidden');
  expect(describeCount('badges', { count: 3, visible: 3 })).toBe('badges: 3 found, 0 of 3 hidden');
});

it('faces are counted by what of the picture is covered', () => {
  const both = [face, { ...face, x: 600, hidden: false }];
  expect(describeFaces(stateOf(both))).toBe('2 faces found, 1 hidden.');
  expect(visibleIn(stateOf(both))).toBe('1 face is visible');
  const off = stateOf(both, { faces: false });
  expect([describeFaces(off), visibleIn(off)]).toEqual([
    'Faces are left as they are.',
    '2 faces are visible',
  ]);
  // Outside of the crop nobody sees it.
  const cut = stateOf(both, { crop: { x: 0, y: 0, w: 500, h: 800 } });
  expect([describeFaces(cut), visibleIn(cut)]).toEqual(['1 face found and hidden.', '']);
  expect(describeFaces(stateOf([]))).toMatch(/^No faces found\./);
  expect([describeFaces(stateOf(null)), visibleIn(stateOf(null))]).toEqual([
    expect.stringMatching(/^They are found and hidden when/),
    '',
  ]);
});

it('other kinds are said to come later until they were looked for', () => {
  expect(describeThings(stateOf([face, plate]))).toBe('');
  const ticked = { plates: true, text: true };
  expect(describeThings(stateOf([face, plate], ticked))).toMatch(/^1 plate found, hidden\. No text found/);
  expect(describeThings({ ...stateOf([face], ticked), kindsLookedFor: [] })).toMatch(/ when the photo is/);
});
