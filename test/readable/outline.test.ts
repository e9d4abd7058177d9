import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, moveBox, rotateBox, scaleBox } from '../../src/faces/boxes.ts';
import {
  cornersIn,
  coverOf,
  coversOf,
  outlined,
  padOutline,
  rotateOutline,
} from '../../src/readable/outline.ts';
import { cornersOf, type TurnedBox } from '../../src/readable/turned_box.ts';

const picture = { width: 400, height: 300 };

const boxes = fc
  .record({
    x: fc.double({ min: -40, max: 440, noNaN: true }),
    y: fc.double({ min: -40, max: 340, noNaN: true }),
    turn: fc.double({ min: 0, max: Math.PI, noNaN: true }),
    long: fc.double({ min: 1, max: 150, noNaN: true }),
    share: fc.double({ min: 0.02, max: 1, noNaN: true }),
  })
  .map(
    ({ x, y, turn, long, share }): TurnedBox => ({
      centre: { x, y },
      along: { x: Math.cos(turn), y: Math.sin(turn) },
      long,
      short: long * share,
    }),
  );

const holds = ({ x, y, w, h }: Box, at: { x: number; y: number }) =>
  at.x > x - 1e-6 && at.x < x + w + 1e-6 && at.y > y - 1e-6 && at.y < y + h + 1e-6;

/** Points all over a turned box. */
const pointsIn = ({ centre, along, long, short }: TurnedBox) =>
  Array.from({ length: 13 * 7 }, (_, index) => {
    const [u, v] = [((index % 13) / 6 - 1) * long, (Math.floor(index / 13) / 3 - 1) * short];
    return { x: centre.x + u * along.x - v * along.y, y: centre.y + u * along.y + v * along.x };
  });

describe('a turned box', () => {
  it('is covered wholly by a few upright boxes, as far as it lies in the picture', () => {
    fc.assert(
      fc.property(boxes, (turned) => {
        const cover = coverOf(outlined(turned), picture);
        expect(cover.length).toBeLessThanOrEqual(12);
        const inside = { x: 0, y: 0, w: picture.width, h: picture.height };
        for (const point of pointsIn(turned)) {
          if (holds(inside, point)) expect(cover.some((box) => holds(box, point))).toBe(true);
        }
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  it('is covered by less than half of its bounds where it is a long line at 45°', () => {
    const line = {
      centre: { x: 200, y: 150 },
      along: { x: Math.SQRT1_2, y: Math.SQRT1_2 },
      long: 140,
      short: 6,
    };
    const box = outlined(line);
    const area = coverOf(box, picture).reduce((sum, { w, h }) => sum + w * h, 0);
    expect(area).toBeLessThan(0.5 * box.w * box.h);
  });

  it('keeps its corners when it is moved, scaled and grown', () => {
    fc.assert(
      fc.property(boxes, (turned) => {
        const box = outlined(turned);
        if (!box.outline) return;
        const moved = cornersIn(scaleBox(moveBox(box, 5, -7), 3, 3));
        for (const [index, { x, y }] of cornersOf(turned).entries()) {
          expect(moved[index]!.x).toBeCloseTo((x + 5) * 3, 6);
          expect(moved[index]!.y).toBeCloseTo((y - 7) * 3, 6);
        }
        const grown = cornersOf({ ...turned, long: turned.long + turned.short, short: 2 * turned.short });
        for (const [index, { x, y }] of cornersIn(padOutline(box, 2)).entries()) {
          expect(x).toBeCloseTo(grown[index]!.x, 6);
          expect(y).toBeCloseTo(grown[index]!.y, 6);
        }
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it('keeps its corners when the picture is rotated', () => {
    fc.assert(
      fc.property(boxes, fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const), (turned, turns) => {
        const box = outlined(turned);
        const size = { width: 700, height: 400 };
        const corners = cornersIn(rotateOutline(rotateBox(box, turns, size), turns));
        const points = cornersIn(box).map(({ x, y }) => rotateBox({ x, y, w: 0, h: 0 }, turns, size));
        for (const { x, y } of points) {
          expect(Math.min(...corners.map((corner) => Math.hypot(corner.x - x, corner.y - y)))).toBeLessThan(
            1e-6,
          );
        }
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it('is upright where its bounds are hardly larger', () => {
    const long = { centre: { x: 50, y: 50 }, along: { x: 1, y: 0 }, long: 40, short: 5 };
    expect(outlined(long)).toEqual({ x: 10, y: 45, w: 80, h: 10 });
    const tilted = { ...long, along: { x: Math.cos(0.02), y: Math.sin(0.02) } };
    expect(outlined(tilted).outline).toBeUndefined();
    expect(outlined({ ...long, along: { x: Math.cos(0.2), y: Math.sin(0.2) } }).outline).toHaveLength(4);
  });

  it('grows upright boxes by a share of the shorter side on each side', () => {
    expect(padOutline({ x: 10, y: 10, w: 100, h: 20 }, 1.5)).toEqual({ x: 5, y: 5, w: 110, h: 30 });
  });

  it('has fewer bands beside a thousand others', () => {
    const box = outlined({ centre: { x: 200, y: 200 }, along: { x: 0.8, y: 0.6 }, long: 150, short: 8 });
    expect(box.outline).toBeDefined();
    expect(coversOf([box], picture)[0]).toEqual(coverOf(box, picture));
    const crowd = coversOf(new Array(1000).fill(box), picture);
    expect(new Set(crowd.map(({ length }) => length))).toEqual(new Set([4]));
  });
});
