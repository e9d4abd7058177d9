import { expect, it } from 'vitest';
import { isFlat } from '../../src/readable/flat.ts';

/** A wall with dots, each a step up and one down. */
function wall(dots: number, levels: number, y = 0) {
  const [width, height] = [64, 2];
  const pixels = new Uint8Array(3 * width * height).fill(100);
  for (let dot = 1; dot <= dots; dot++) {
    const at = 3 * (y * width + 4 * dot);
    pixels.fill(100 + levels, at, at + 3);
  }
  return { width, height, heldRows: height, pixels };
}

it('is a cell with fewer than 8 steps of 8 levels, which no letter can stand in', () => {
  expect(isFlat(wall(4, 8))).toBe(false);
  expect(isFlat(wall(4, -8))).toBe(false);
  expect(isFlat(wall(3, 8))).toBe(true);
  expect(isFlat(wall(7, 7))).toBe(true);
  expect(isFlat(wall(4, 8, 1))).toBe(true);
});
