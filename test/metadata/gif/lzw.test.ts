import { describe, expect, it } from 'vitest';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { reachesEndCode } from '../../../src/metadata/gif/lzw.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import { bytes } from '../../fixtures/bytes.ts';
import { subBlocks } from '../../fixtures/gif_writer.ts';

const endCode = (cursor: Cursor, at: number) => resultOf(reachesEndCode(cursor, at));

/** Codes of `width` bits each, packed from the lowest bit up; a pair is a code of a width of its own. */
function packed(width: number, ...codes: (number | readonly [code: number, width: number])[]): Uint8Array {
  const bits = codes
    .map((code) => (typeof code === 'number' ? ([code, width] as const) : code))
    .flatMap(([code, size]) => Array.from({ length: size }, (_, bit) => (code >> bit) & 1));
  return Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((sum, bit, place) => sum | (bit << place), 0),
  );
}
/** Data with literals of two bits: 4 is the clear code, 5 the end code. The file ends behind them. */
const ends = (data: Uint8Array, size = 255) =>
  endCode(new Cursor(bytes(2, subBlocks(data, size)).subarray(0, -1)), 0);

describe('the end code of LZW data', () => {
  it('is found behind codes that grow', () => {
    // the second literal makes string 6, the third 7, with which codes have four bits
    expect(ends(packed(3, 4, 0, 1, 2, [5, 4]))).toBe(true);
    expect(ends(packed(3, 4, 0, 1, 2, 5, 7))).toBe(false);
    expect(ends(packed(3, 4, 0, 6, 7, [5, 4]))).toBe(true);
  });

  it('is found behind a clear code, which narrows them again', () => {
    expect(ends(packed(3, 4, 0, 1, 2, [4, 4], 5))).toBe(true);
    expect(ends(packed(3, 4, 0, 1, 2, [4, 4], 0, 5))).toBe(true);
  });

  it('is found in whatever sub-blocks it lies', () => {
    expect(ends(packed(3, 4, 0, 1, 2, [5, 4]), 1)).toBe(true);
    const long = new Uint8Array([2, 255, ...packed(3, 4, 0, 5)]);
    expect(endCode(new Cursor(long), 0)).toBe(true);
  });

  it('is not found where it is cut off, or behind a code that no string has', () => {
    expect(ends(packed(3, 4, 0, 1))).toBe(false);
    expect(ends(packed(3, 4, 7, 5))).toBe(false);
    expect(ends(packed(3, 4, 0, 7, 5))).toBe(false);
    expect(ends(new Uint8Array(0))).toBe(false);
  });

  it('is found in codes of twelve bits, which grow no further', () => {
    // 2^12 − 6 strings fill the table; codes 0 are one literal each
    const widths = Array.from({ length: 5000 }, (_, n) => {
      const entries = Math.min(4096, 6 + Math.max(0, n - 1));
      return [0, Math.min(12, Math.max(3, Math.floor(Math.log2(entries)) + 1))] as const;
    });
    expect(ends(packed(3, 4, ...widths, [5, 12]))).toBe(true);
  });

  it('is not sought in literals that are too wide, or missing', () => {
    expect(endCode(new Cursor(bytes(12, subBlocks(packed(13, 4096, 4097)))), 0)).toBe(false);
    expect(endCode(new Cursor(bytes(11, subBlocks(packed(12, 2048, 2049)))), 0)).toBe(true);
    // literals of no bits: the clear code is 1, the end code 2
    expect(endCode(new Cursor(bytes(0, subBlocks(packed(2, [1, 1], 2)))), 0)).toBe(false);
    expect(endCode(new Cursor(bytes()), 0)).toBe(false);
  });
});
