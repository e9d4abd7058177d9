import { expect, it } from 'vitest';
import { cutToBytes, safeName } from '../src/safe_name.ts';

it.each([
  ['IMG_0001 (2).x', 'IMG_0001 (2).x'],
  ['Übung – 写真 👩‍👧', 'Übung – 写真 👩‍👧'],
  ['<a>:"/\\|?*\n\u202E\u2028', '_a___________'],
  ['a. .', 'a___'],
  ['..', '__'],
  ['', '_'],
  ['CON', '_CON'],
  ['nul.tar', '_nul.tar'],
  ['com1 .x', '_com1 .x'],
  ['LPT²', '_LPT²'],
  ['console', 'console'],
  ['.con', '.con'],
])('makes of %j %j', (name, expected) => expect(safeName(name)).toBe(expected));

it('cuts by bytes, in whole characters', () => {
  expect(Buffer.byteLength(safeName('é'.repeat(200), 10))).toBe(244);
  expect(cutToBytes('ab👩‍👧', 10)).toBe('ab');
  expect(cutToBytes('abc', 3)).toBe('abc');
});
