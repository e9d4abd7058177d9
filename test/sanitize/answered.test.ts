import fc from 'fast-check';
import { expect, it } from 'vitest';
import { overlap, padBox, sharedArea } from '../../src/faces/boxes.ts';
import { answeredBox, belowConfidence } from '../../src/sanitize/answered.ts';
import { LISTED_DISTANCE, MAX_LISTED } from '../../src/vocabulary/vocabulary.ts';

const picture = { width: 200, height: 120 };
const box = fc.record({
  x: fc.double({ min: 0, max: 180, noNaN: true }),
  y: fc.double({ min: 0, max: 100, noNaN: true }),
  w: fc.double({ min: 1, max: 30, noNaN: true }),
  h: fc.double({ min: 1, max: 30, noNaN: true }),
  confidence: fc.double({ min: 0.2, max: 0.599, noNaN: true }),
});
const ops = { confidence: 0.6, padding: 1.5 };

it('lists the most confident spots near the limit that nothing hides, five at most', () => {
  let longest = 0;
  fc.assert(
    fc.property(
      fc.array(box, { maxLength: 40, size: 'max' }),
      fc.array(box, { maxLength: 3 }),
      (candidates, hidden) => {
        const listed = belowConfidence(candidates, hidden, picture, ops);
        const deserving = candidates
          .filter(({ confidence }) => confidence >= 0.6 - LISTED_DISTANCE)
          .filter((spot) => !hidden.some((area) => sharedArea(area, spot) > 0))
          .map(({ confidence }) => Math.round(confidence * 1000) / 1000)
          .sort((a, b) => b - a);
        expect(listed.map(({ confidence }) => confidence)).toEqual(deserving.slice(0, 5));
        longest = Math.max(longest, listed.length);
        for (const { x, y, w, h } of listed) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
          expect(x + w).toBeLessThanOrEqual(picture.width + 0.05);
          expect(y + h).toBeLessThanOrEqual(picture.height + 0.05);
        }
      },
    ),
    { seed: 3, numRuns: 200 },
  );
  expect(longest).toBe(MAX_LISTED);
});

it('grows a spot as it would be hidden', () => {
  const spot = { x: 50, y: 40, w: 20, h: 24, confidence: 0.55 };
  const [listed] = belowConfidence([spot], [], picture, ops);
  expect(overlap(listed!, padBox(spot, 1.5))).toBeGreaterThan(0.99);
});

it('rounds edges to tenths and confidences to thousandths', () => {
  expect(answeredBox({ x: 1.04, y: 2.06, w: 3.33, h: 4, confidence: 0.123456 })).toEqual({
    x: 1,
    y: 2.1,
    w: 3.4,
    h: 4,
    confidence: 0.123,
  });
});
