import { expect, it } from 'vitest';
import { quoted } from '../../src/json/quoted.ts';

it('quotes at most five of the sender’s names, each shortened', () => {
  expect(quoted(['a"b', 'x'.repeat(99)])).toBe(`"a\\"b", "${'x'.repeat(40)}"`);
  expect(quoted([...'abcdefg'])).toBe('"a", "b", "c", "d", "e" and 2 more');
});
