import { expect, it } from 'vitest';
import { SEARCH_SHARE, Underway } from '../../src/cli/underway.ts';

it('adds up what is done of each file, until it ends', () => {
  const underway = new Underway(SEARCH_SHARE);
  const [a, b] = [{}, {}];
  expect(underway.files).toBe(0);
  underway.tell(a, { phase: 'encoding', share: 0.5 });
  underway.tell(b, { phase: 'encoding', share: 0.25 });
  expect(underway.files).toBe(0.75);
  underway.end(a);
  expect(underway.files).toBe(0.25);
});

it('never goes back in a file, with a search for faces and without', () => {
  for (const phases of [['encoding'], ['detecting'], ['detecting', 'encoding']] as const) {
    const underway = new Underway(phases.length > 1 ? SEARCH_SHARE : 1);
    const file = {};
    const told: number[] = [];
    for (const phase of phases) {
      for (const share of [0, 0.5, 1]) {
        underway.tell(file, { phase, share });
        told.push(underway.files);
      }
    }
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect([told.at(0), told.at(-1)]).toEqual([0, 1]);
  }
});
