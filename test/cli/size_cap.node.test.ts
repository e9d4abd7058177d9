import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maxWidthUnder } from '../../src/cli/size_cap.ts';
import { sizeUnder } from '../../src/pixels/resize.ts';

const bounds = { minimum: 16, maximum: 12000 };
const photo = (width: number, height: number, orientation = 1) => ({ width, height, orientation });

it.each([
  [{ maxEdge: 1600 }, photo(4000, 3000), 1600],
  [{ maxEdge: 1600 }, photo(3000, 4000), 1200],
  [{ maxEdge: 1600 }, photo(4000, 3000, 6), 1200],
  [{ maxHeight: 300 }, photo(4000, 3000), 400],
  // 41 of 200 would be 20.5 pixels high, which is rounded up.
  [{ maxHeight: 20 }, photo(200, 100), 40],
  [{ maxHeight: 300, maxEdge: 200 }, photo(4000, 3000), 200],
  [{ maxEdge: 4000 }, photo(4000, 3000), undefined],
  [{ maxHeight: 3000 }, photo(4000, 2999), undefined],
])('%j makes of %j the width %s', (cap, of, expected) => {
  expect(maxWidthUnder(cap, of, {}, bounds)).toBe(expected);
});

it('goes by the sides that a turn leaves', () => {
  expect(maxWidthUnder({ maxEdge: 1600 }, photo(4000, 3000), { rotate: 90 }, bounds)).toBe(1200);
  expect(maxWidthUnder({ maxEdge: 1600 }, photo(4000, 3000), { rotate: 180 }, bounds)).toBe(1600);
  expect(maxWidthUnder({ maxEdge: 1600 }, photo(4000, 3000, 6), { rotate: 270 }, bounds)).toBe(1600);
});

it('goes by what a crop leaves, and keeps to --max-width as well', () => {
  const crop = { x: 100, y: 0, width: 500, height: 1000 };
  expect(maxWidthUnder({ maxEdge: 500 }, photo(3000, 4000, 8), { crop }, bounds)).toBe(250);
  const output = { format: 'jpeg', quality: 92, chroma: 'auto', maxWidth: 300 } as const;
  expect(maxWidthUnder({ maxHeight: 900 }, photo(1200, 1000), { output }, bounds)).toBe(300);
  expect(maxWidthUnder({ maxHeight: 100 }, photo(1200, 1000), { output }, bounds)).toBe(120);
});

it('refuses what would be narrower than the ops allow, and never asks for more than they do', () => {
  expect(() => maxWidthUnder({ maxHeight: 100 }, photo(100, 4000), {}, bounds)).toThrow('2 pixels wide');
  expect(maxWidthUnder({ maxHeight: 900 }, photo(40000, 1000), {}, bounds)).toBe(12000);
});

it('gives the largest output that keeps to the caps, and enlarges none', () => {
  const side = fc.integer({ min: 16, max: 9000 });
  const cap = fc.option(fc.integer({ min: 16, max: 9000 }), { nil: undefined });
  fc.assert(
    fc.property(side, side, cap, cap, (width, height, maxEdge, maxHeight) => {
      const keeps = (size: { width: number; height: number }) =>
        Math.max(size.width, size.height) <= (maxEdge ?? Infinity) && size.height <= (maxHeight ?? Infinity);
      let most: number | undefined;
      try {
        most = maxWidthUnder(
          { maxEdge, maxHeight },
          photo(width, height),
          {},
          { minimum: 1, maximum: 12000 },
        );
      } catch {
        // Not even one pixel of width is low enough.
        expect(keeps(sizeUnder(1, { width, height }))).toBe(false);
        return;
      }
      expect(keeps(sizeUnder(most, { width, height }))).toBe(true);
      if (most === undefined) return;
      expect(most).toBeLessThan(width);
      expect(keeps(sizeUnder(most + 1, { width, height }))).toBe(false);
    }),
    { seed: 20, numRuns: 1000 },
  );
});
