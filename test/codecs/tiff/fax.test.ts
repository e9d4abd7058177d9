import { describe, expect, it } from 'vitest';
import { runCodes } from '../../../src/codecs/tiff/fax.ts';

describe.each([
  ['white', false, 12],
  ['black', true, 13],
] as const)('the codes of %s runs', (_name, black, longest) => {
  const codes = runCodes(black);

  it('are one for each length of 0 to 63, and for each multiple of 64 up to 2560', () => {
    const lengths = [...Array(64).keys(), ...Array.from({ length: 40 }, (_, index) => (index + 1) * 64)];
    expect(codes.map(([, length]) => length)).toEqual(lengths);
    expect(Math.max(...codes.map(([code]) => code.length))).toBe(longest);
  });

  it('are no prefix of one another, nor of end-of-line', () => {
    const all = [...codes.map(([code]) => code), '00000000000'];
    for (const one of all) {
      expect(all.filter((other) => other.startsWith(one))).toEqual([one]);
    }
  });
});
