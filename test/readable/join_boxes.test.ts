import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as stepwise from '../../src/readable/join_boxes.ts';
import type { SeenBox } from '../../src/readable/read_maps.ts';
import { cornersOf, type Point } from '../../src/readable/turned_box.ts';
import { seededBelow } from '../fixtures/random.ts';

const { MOST_BOXES } = stepwise;

/** The result of steps, and the work of each. */
function finished<Result>(steps: Generator<number, Result>) {
  const told: number[] = [];
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { result: value, told };
    told.push(value);
  }
}
const joinBoxes = (boxes: readonly SeenBox[]) => finished(stepwise.joinBoxes(boxes)).result;
const withoutBlocks = (...given: Parameters<typeof stepwise.withoutBlocks>) =>
  finished(stepwise.withoutBlocks(...given)).result;
const atMost = (...given: Parameters<typeof stepwise.atMost>) => finished(stepwise.atMost(...given)).result;

const upright = (x: number, y: number, w: number, h: number, kind: SeenBox['kind'] = 'text'): SeenBox => ({
  kind,
  confidence: 0.7,
  box: { centre: { x: x + w / 2, y: y + h / 2 }, along: { x: 1, y: 0 }, long: w / 2, short: h / 2 },
});

const seen = fc
  .record({
    x: fc.integer({ min: 0, max: 300 }),
    y: fc.integer({ min: 0, max: 300 }),
    long: fc.integer({ min: 4, max: 80 }),
    share: fc.double({ min: 0.1, max: 1, noNaN: true }),
    turn: fc.constantFrom(0, 0.05, 0.5, 1.5),
    kind: fc.constantFrom('text' as const, 'plate' as const),
    confidence: fc.double({ min: 0.3, max: 1, noNaN: true }),
  })
  .map(
    ({ x, y, long, share, turn, kind, confidence }): SeenBox => ({
      kind,
      confidence,
      box: {
        centre: { x, y },
        along: { x: Math.cos(turn), y: Math.sin(turn) },
        long,
        short: long * share,
      },
    }),
  );

const holds = ({ box: { centre, along, long, short } }: SeenBox, { x, y }: Point) => {
  const [dx, dy] = [x - centre.x, y - centre.y];
  return (
    Math.abs(dx * along.x + dy * along.y) <= long + 1e-6 &&
    Math.abs(dy * along.x - dx * along.y) <= short + 1e-6
  );
};

describe('blocks of text in a smaller view', () => {
  const lines = [0, 1, 2, 3].map((row) => upright(10, 10 + 30 * row, 200, 16));

  it('are left out where finer views show the lines that they consist of', () => {
    expect(withoutBlocks([upright(0, 0, 220, 130)], lines)).toEqual([]);
  });

  it('stay where those show little of it, or something else, and so do plates', () => {
    const block = upright(0, 0, 220, 130);
    const plate = upright(0, 0, 220, 130, 'plate');
    expect(withoutBlocks([block], lines.slice(0, 1))).toEqual([block]);
    expect(withoutBlocks([block], [])).toEqual([block]);
    const line = upright(0, 0, 400, 16);
    expect(withoutBlocks([line], [upright(0, 0, 240, 14)])).toEqual([line]);
    const plates = lines.map((line) => ({ ...line, kind: 'plate' as const }));
    expect(withoutBlocks([block, plate], plates)).toEqual([block, plate]);
    expect(withoutBlocks([plate], lines)).toEqual([plate]);
  });
});

describe('joined boxes', () => {
  it('cover all that was covered, by no more boxes', () => {
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 30 }), (boxes) => {
        const joined = joinBoxes(boxes);
        expect(joined.length).toBeLessThanOrEqual(boxes.length);
        for (const box of boxes) {
          const around = joined.filter(
            (one) => one.kind === box.kind && cornersOf(box.box).every((corner) => holds(one, corner)),
          );
          expect(around.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it('are one where tiles have cut a line, and lines and words beside each other are not', () => {
    expect(
      joinBoxes([upright(0, 0, 300, 20), upright(240, 1, 300, 20), upright(500, 0, 200, 20)]),
    ).toHaveLength(1);
    expect(joinBoxes([upright(0, 0, 300, 20), upright(0, 18, 300, 20)])).toHaveLength(2);
    expect(joinBoxes([upright(0, 0, 100, 20), upright(104, 0, 100, 20)])).toHaveLength(2);
    expect(joinBoxes([upright(0, 0, 100, 20), upright(50, 0, 100, 20, 'plate')])).toHaveLength(2);
  });

  it('are few and cover everything where there were too many', () => {
    const many = Array.from({ length: 2 * MOST_BOXES }, (_, index) =>
      upright((index % 100) * 10, Math.floor(index / 100) * 10, 4, 3),
    );
    const fewer = atMost(many, { width: 1000, height: 600 });
    expect(fewer.length).toBeLessThanOrEqual(MOST_BOXES + 256);
    for (const box of many)
      expect(fewer.some((one) => cornersOf(box.box).every((corner) => holds(one, corner)))).toBe(true);
  });
});

it('gives way on the way where thousands of boxes cross each other: a picture of slanted lines held the thread', () => {
  const random = seededBelow(5);
  const crossing = Array.from({ length: MOST_BOXES }, (): SeenBox => {
    const turn = random(1000) / 1000;
    const centre = { x: random(2000), y: random(2000) };
    const box = { centre, along: { x: Math.cos(turn), y: Math.sin(turn) }, long: 20 + random(200), short: 3 };
    return { kind: 'text', confidence: 0.9, box };
  });
  const longest = 3_000_000;
  for (const { result, told } of [
    finished(stepwise.joinBoxes(crossing)),
    finished(stepwise.withoutBlocks(crossing, crossing)),
  ]) {
    expect(result.length).toBeGreaterThan(1);
    expect(told.length).toBeGreaterThan(100);
    expect(Math.max(...told)).toBeLessThan(longest);
  }
  const { told } = finished(stepwise.atMost([...crossing, ...crossing], { width: 2000, height: 2000 }));
  expect(Math.max(...told)).toBeLessThan(longest);
});
