import { expect, it } from 'vitest';
import { displaysUpright } from '../../../src/playground/stage/upright_display.ts';

const upright = { width: 30, height: 20 };

it.each([
  ['jpeg', 6, true],
  ['avif', 8, true],
  ['png', 1, true],
  ['gif', 1, true],
  // Half turns and mirrorings don't change the size, and browsers differ in whether they apply them.
  ['png', 3, false],
  ['webp', 2, false],
] as const)('%s with orientation %i is displayed by the browser: %s', (format, orientation, isShown) => {
  expect(displaysUpright({ format, orientation }, upright, upright)).toBe(isShown);
  expect(displaysUpright({ format, orientation }, { width: 20, height: 30 }, upright)).toBe(false);
});
