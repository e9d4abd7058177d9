import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Area, columnsIn } from '../../src/pixels/ellipse.ts';
import { areasOf, type Coverage, RowSpans, runsOf } from '../../src/pixels/row_spans.ts';

const width = 24;
const height = 20;

const rect = fc.record({
  x: fc.nat(width - 1),
  y: fc.nat(height - 1),
  width: fc.integer({ min: 1, max: 12 }),
  height: fc.integer({ min: 1, max: 12 }),
});
const ellipse = fc.tuple(rect, fc.double({ min: 0, max: 0.9, noNaN: true })).map(([area, part]) => ({
  ...area,
  ellipse: { x: area.x + part / 2, y: area.y + part, width: area.width - part, height: area.height - part },
}));
const coverage = fc.letrec<{ any: Coverage; rects: Coverage; union: Coverage; difference: Coverage }>(
  (tie) => ({
    any: fc.oneof({ maxDepth: 3 }, tie('rects'), tie('union'), tie('difference')),
    rects: fc.array(fc.oneof(rect, ellipse), { maxLength: 4 }),
    union: fc.record({ all: fc.array(tie('any'), { maxLength: 3 }) }),
    difference: fc.record({ of: tie('any'), without: tie('any') }),
  }),
).any;

/** Whether a coverage has one pixel, read literally. */
function has(part: Coverage, x: number, y: number): boolean {
  if ('all' in part) return part.all.some((one) => has(one, x, y));
  if ('of' in part) return has(part.of, x, y) && !has(part.without, x, y);
  return part.some((a: Area) => {
    const { start, end } = columnsIn(a, y);
    return y >= a.y && y < a.y + a.height && x >= start && x < end;
  });
}

describe('the columns of a row', () => {
  it('are those of the coverage, pixel by pixel, in whatever order rows are asked for', () => {
    const rows = fc.array(fc.nat(height + 15), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(coverage, rows, (area, asked) => {
        const spans = new RowSpans(area);
        for (const y of asked) {
          const columns = new Set<number>();
          let last = -1;
          for (const { start, end } of spans.at(y)) {
            // In order, none empty, and none that touches the one before.
            expect(start).toBeGreaterThan(last);
            expect(end).toBeGreaterThan(start);
            for (let x = start; x < end; x++) columns.add(x);
            last = end;
          }
          for (let x = 0; x < width + 15; x++) expect(columns.has(x)).toBe(has(area, x, y));
        }
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it('take a look at the rectangles of that row, not at all of a picture full of text', () => {
    let looks = 0;
    const rects = Array.from({ length: 4000 }, (_, n) => ({
      x: (n % 40) * 30,
      get y() {
        looks++;
        return Math.floor(n / 40) * 20 + (n % 7);
      },
      width: 20,
      height: 12,
    }));
    const spans = new RowSpans({ all: [rects, { of: rects, without: [] }] });
    looks = 0;
    for (let y = 0; y < 2000; y++) spans.at(y);
    // Some 1,400 bands of rows, with 40 rectangles each.
    expect(looks).toBeLessThan(4000 * 100);
  });

  it('are the same object for all rows between two edges, so that a tall picture costs nothing a row', () => {
    const spans = new RowSpans([{ x: 1, y: 10, width: 2, height: 1_000_000 }]);
    expect(spans.at(10)).toEqual([{ start: 1, end: 3 }]);
    expect(spans.at(1_000_009)).toBe(spans.at(10));
    expect(spans.at(1_000_010)).toEqual([]);
  });
});

describe('areasOf', () => {
  it('names every area, also those taken away', () => {
    const one = { x: 0, y: 0, width: 1, height: 1 };
    expect(areasOf({ all: [[one], { of: [one], without: [one] }] })).toHaveLength(3);
    expect(areasOf({ all: [[], { of: [], without: [] }] })).toEqual([]);
  });
});

describe('runsOf', () => {
  const runs = (areas: readonly Area[]) => {
    const spans = new RowSpans(areas);
    return Array.from({ length: height }, (_, y) => spans.runsAt(y)).reduce((sum, count) => sum + count, 0);
  };

  it('counts the spans of all rows together, whatever lies below', () => {
    fc.assert(
      fc.property(fc.array(rect, { maxLength: 6 }), (rects) => {
        expect(runsOf(rects, height)).toBe(runs(rects));
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it('counts no fewer where there are ellipses, each twice in every row: found, and painted', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(rect, ellipse), { maxLength: 6 }), (areas) => {
        expect(runsOf(areas, height)).toBeGreaterThanOrEqual(runs(areas));
      }),
      { numRuns: 200, seed: 3 },
    );
    const area = { x: 0, y: 1, width: 9, height: 50 };
    expect(runsOf([{ ...area, ellipse: area }], height)).toBe(2 * (height - 1));
  });

  it('asks for no row of an ellipse, of which a tall picture has millions', () => {
    let rows = 0;
    const area = { x: 0, y: 0, width: 9, height: 50_000_000 };
    const tall = { ...area, ellipse: area };
    const counted = {
      ...tall,
      get ellipse() {
        rows++;
        return area;
      },
    };
    expect(runsOf([counted], 50_000_000)).toBe(100_000_000);
    expect(rows).toBeLessThan(10);
  });
});
