import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Component, componentsOf } from '../../src/readable/components.ts';

/** Flood fill, one pixel at a time: the components as sorted lists of pixels. */
function flooded(map: Float32Array, width: number, height: number, threshold: number): number[][] {
  const left = new Set([...map.keys()].filter((at) => map[at]! >= threshold));
  const found: number[][] = [];
  for (const start of left) {
    const waiting = [start];
    const part: number[] = [];
    left.delete(start);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      part.push(at);
      const x = at % width;
      const sides = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width];
      for (const side of sides) {
        if (!left.delete(side)) continue;
        waiting.push(side);
      }
    }
    found.push(part.sort((a, b) => a - b));
  }
  expect(found.flat().every((at) => at < width * height)).toBe(true);
  return found.sort((a, b) => a[0]! - b[0]!);
}

const pixelsOf = ({ runs }: Component, width: number) =>
  runs.flatMap(({ row, start, end }) =>
    Array.from({ length: end - start }, (_, index) => row * width + start + index),
  );

/** Pictures of few values, so that much hangs together, of any shape. */
const maps = fc
  .record({ width: fc.integer({ min: 1, max: 24 }), height: fc.integer({ min: 1, max: 24 }) })
  .chain(({ width, height }) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      values: fc.array(fc.constantFrom(0, 0.25, 0.5, 0.75, 1), {
        minLength: width * height,
        maxLength: width * height,
      }),
    }),
  );

describe('components of a map', () => {
  it('are those of a flood fill, with their means', () => {
    fc.assert(
      fc.property(maps, fc.constantFrom(0.2, 0.5, 0.9), ({ width, height, values }, threshold) => {
        const map = Float32Array.from(values);
        const ours = componentsOf(map, width, height, threshold);
        const parts = ours.map((part) => pixelsOf(part, width).sort((a, b) => a - b));
        expect(parts.toSorted((a, b) => a[0]! - b[0]!)).toEqual(flooded(map, width, height, threshold));
        for (const [index, { pixels, mean }] of ours.entries()) {
          expect(pixels).toBe(parts[index]!.length);
          const sum = parts[index]!.reduce((total, at) => total + map[at]!, 0);
          expect(mean).toBeCloseTo(sum / pixels, 6);
        }
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('reads one map of several that lie between each other', () => {
    const map = Float32Array.of(0, 1, 1, 0, 0, 1);
    expect(componentsOf(map, 3, 1, 0.5, 1, 2).map(({ runs }) => runs)).toEqual([
      [{ row: 0, start: 0, end: 1 }],
      [{ row: 0, start: 2, end: 3 }],
    ]);
  });

  it.each([
    ['a chessboard', (x: number, y: number) => (x + y) % 2, 512 * 512 * 0.5],
    ['a comb', (x: number, y: number) => (y === 511 || x % 2 ? 1 : 0), 1],
    [
      'a spiral of corners',
      (x: number, y: number) => (x % 4 === 0 || (y % 4 === 0 && x % 4 < 3) ? 1 : 0),
      128,
    ],
  ])('takes %s of 512 × 512 whole', (_name, value, count) => {
    const map = Float32Array.from({ length: 512 * 512 }, (_, at) => value(at % 512, Math.floor(at / 512)));
    const parts = componentsOf(map, 512, 512, 0.5);
    expect(parts).toHaveLength(count);
    expect(parts.reduce((sum, { pixels }) => sum + pixels, 0)).toBe(map.filter((one) => one > 0).length);
  });
});
