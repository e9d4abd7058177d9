import { expect, it } from 'vitest';
import { eighthsFor } from '../../../src/codecs/jpeg/cost.ts';

it('reads the fewest eighths that leave the columns wanted; for resizing one and two a third more', () => {
  const wanted = [501, 500, 401, 301, 300, 200, 151, 150, 100, 76, 75];
  const read = (forResizing: boolean) =>
    wanted.map((minWidth) => eighthsFor(800, { minWidth, ...(forResizing && { forResizing }) }));
  expect(read(false)).toEqual([8, 8, 8, 4, 4, 2, 2, 2, 1, 1, 1]);
  expect(read(true)).toEqual([8, 5, 5, 4, 3, 3, 3, 2, 2, 2, 1]);
  expect(eighthsFor(800, { forResizing: true })).toBe(8);
});
