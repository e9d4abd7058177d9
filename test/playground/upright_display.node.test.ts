import { expect, it } from 'vitest';
import { showable } from '../../src/playground/showable.ts';

const upright = { width: 30, height: 20 };

it.each([
  ['jpeg', 6, true],
  ['avif', 8, true],
  ['png', 1, true],
  ['gif', 1, true],
  // Half turns and mirrors can't be told from the size, and browsers differ in who honours them here.
  ['png', 3, false],
  ['webp', 2, false],
] as const)('%s with orientation %i is shown by the browser: %s', (format, orientation, isShown) => {
  expect(showable({ format, orientation }, upright, upright)).toBe(isShown);
  expect(showable({ format, orientation }, { width: 20, height: 30 }, upright)).toBe(false);
});
