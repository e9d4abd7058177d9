import { expect, it } from 'vitest';
import { printable, printableLines } from '../../src/cli/printable.ts';

const code = (text: string) => text.charCodeAt(0);
const shown = (controls: string) => printable(`a${controls}b`);

it('shows every control character, direction control and separator by its number', () => {
  const ranges = ['\0\x1F', '\x7F\x9F', '\u061C\u061C', '\u200E\u200F', '\u2028\u202E', '\u2066\u2069'];
  for (const [first, last] of ranges.map((range) => [code(range[0]!), code(range[1]!)])) {
    for (let at = first!; at <= last!; at++) {
      expect(shown(String.fromCharCode(at))).toBe(`a\\u${at.toString(16).padStart(4, '0')}b`);
    }
  }
});

it('leaves all other text as it is', () => {
  const text = 'Übung – 写真 «a» 👩‍👧 שלום مرحبا \u00A0 it’s\u00AD 3 × 4';
  expect(printable(text)).toBe(text);
});

it('changes nothing of what JSON means', () => {
  const value = { 'na\u202Eme': ['\u009B2J', '\n\u0090"\\', '\u2028\u2069\x7F'] };
  const text = printable(JSON.stringify(value));
  expect(text).toMatch(/^[\x20-\x7E]+$/);
  expect(JSON.parse(text)).toEqual(value);
});

it('ends lines by itself alone', () => {
  expect(printableLines(['a\nb', 'c\r'])).toBe('a\\u000ab\nc\\u000d\n');
});
