import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Box,
  clipBox,
  holdsCentre,
  moveBox,
  overlap,
  padBox,
  type QuarterTurns,
  rotateBox,
  roundBox,
  type ScoredBox,
  scaleBox,
  suppress,
} from '../../src/faces/boxes.ts';

const small = (max: number) => fc.integer({ min: 0, max });
const box: fc.Arbitrary<Box> = fc.record({
  x: small(30),
  y: small(30),
  w: fc.integer({ min: 1, max: 20 }),
  h: fc.integer({ min: 1, max: 20 }),
});
const scored: fc.Arbitrary<ScoredBox> = fc
  .tuple(box, fc.integer({ min: 1, max: 20 }))
  .map(([place, tenths]) => ({ ...place, confidence: tenths / 20 }));
const seed = 7;

/** The unit squares a box with whole coordinates covers. */
function squares({ x, y, w, h }: Box): Set<string> {
  const all = new Set<string>();
  for (let i = x; i < x + w; i++) for (let j = y; j < y + h; j++) all.add(`${i},${j}`);
  return all;
}

const common = (a: Set<string>, b: Set<string>) => new Set([...a].filter((square) => b.has(square)));

/** Squares in both of squares in either. */
const shareOf = (a: Set<string>, b: Set<string>) => common(a, b).size / new Set([...a, ...b]).size;

/** Suppression as its definition reads: take the best, drop what overlaps it, and so on. */
function naiveSuppress(boxes: readonly ScoredBox[], limit: number): ScoredBox[] {
  let rest = [...boxes];
  const kept: ScoredBox[] = [];
  while (rest.length > 0) {
    let best = rest[0]!;
    for (const one of rest) if (one.confidence > best.confidence) best = one;
    kept.push(best);
    const mine = squares(best);
    rest = rest.filter((one) => {
      if (one === best) return false;
      const theirs = squares(one);
      return shareOf(mine, theirs) <= limit;
    });
  }
  return kept;
}

describe('overlap', () => {
  it('is intersection over union, counted square by square', () => {
    fc.assert(
      fc.property(box, box, (a, b) => {
        const [one, other] = [squares(a), squares(b)];
        expect(overlap(a, b)).toBeCloseTo(shareOf(one, other), 12);
      }),
      { seed, numRuns: 200 },
    );
  });
});

describe('suppress', () => {
  it('keeps what the definition keeps, most confident first', () => {
    fc.assert(
      fc.property(fc.array(scored, { maxLength: 25 }), fc.constantFrom(0.2, 0.45, 0.7), (boxes, limit) => {
        expect(suppress(boxes, limit)).toEqual(naiveSuppress(boxes, limit));
      }),
      { seed, numRuns: 200 },
    );
  });
});

describe('padBox and clipBox', () => {
  it('pad about the centre, so that a box and its padding have one, and clip to the picture', () => {
    const factor = fc.double({ min: 1, max: 3, noNaN: true });
    fc.assert(
      fc.property(box, factor, (tight, by) => {
        const padded = padBox(tight, by);
        expect(padded.x + padded.w / 2).toBeCloseTo(tight.x + tight.w / 2, 9);
        expect(padded.y + padded.h / 2).toBeCloseTo(tight.y + tight.h / 2, 9);
        expect(padded.w).toBeCloseTo(tight.w * by, 9);
        expect(padded.h).toBeCloseTo(tight.h * by, 9);
      }),
      { seed },
    );
    fc.assert(
      fc.property(box, fc.integer({ min: -25, max: 25 }), (inside, by) => {
        const moved = moveBox(inside, by, -by);
        const size = { width: 31, height: 27 };
        const expected = common(squares({ x: 0, y: 0, w: size.width, h: size.height }), squares(moved));
        const clipped = clipBox(moved, size);
        expect(clipped ? squares(clipped) : new Set()).toEqual(expected);
      }),
      { seed },
    );
  });
});

describe('rotateBox', () => {
  it('moves a box as the picture’s pixels move', () => {
    const size = { width: 51, height: 53 };
    fc.assert(
      fc.property(box, fc.constantFrom<QuarterTurns[]>(0, 1, 2, 3), (before, rotation) => {
        let expected = squares(before);
        let { width, height } = size;
        for (let i = 0; i < rotation; i++) {
          // A quarter clockwise: what was the left column becomes the top row, read from below.
          expected = new Set(
            [...expected].map((square) => {
              const [x, y] = square.split(',').map(Number) as [number, number];
              return `${height - 1 - y},${x}`;
            }),
          );
          [width, height] = [height, width];
        }
        expect(squares(rotateBox(before, rotation, size))).toEqual(expected);
        expect(
          rotateBox(rotateBox(before, rotation, size), ((4 - rotation) % 4) as QuarterTurns, {
            width,
            height,
          }),
        ).toEqual(before);
      }),
      { seed },
    );
  });
});

describe('roundBox', () => {
  it('gives one decimal, and edges nowhere further off than rounding puts them', () => {
    const place = fc.double({ min: -50, max: 9000, noNaN: true });
    const extent = fc.double({ min: 0.5, max: 5000, noNaN: true });
    fc.assert(
      fc.property(place, place, extent, extent, (x, y, w, h) => {
        const rounded = roundBox({ x, y, w, h, confidence: 0.7 });
        for (const value of [rounded.x, rounded.y, rounded.w, rounded.h]) {
          expect(String(value)).toMatch(/^-?\d+(\.\d)?$/);
        }
        expect(Math.abs(rounded.x + rounded.w - (x + w))).toBeLessThan(0.0501);
        expect(Math.abs(rounded.y + rounded.h - (y + h))).toBeLessThan(0.0501);
      }),
      { seed },
    );
  });
});

describe('scaleBox and holdsCentre', () => {
  it('scale each side by its own factor; a centre on the border is outside', () => {
    expect(scaleBox({ x: 1, y: 2, w: 3, h: 4, confidence: 0.5 }, 2, 10)).toEqual({
      ...{ x: 2, y: 20, w: 6, h: 40 },
      confidence: 0.5,
    });
    const area = { x: 0, y: 0, w: 10, h: 10 };
    expect(holdsCentre(area, { x: 9, y: 4, w: 1.9, h: 2 })).toBe(true);
    expect(holdsCentre(area, { x: 9, y: 4, w: 2, h: 2 })).toBe(false);
  });
});
