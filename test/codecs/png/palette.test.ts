import { describe, expect, it } from 'vitest';
import { isPaletteWorthIt, paletteChunks, unindexedRows } from '../../../src/codecs/png/palette.ts';

describe('paletteChunks', () => {
  it('keeps alphas up to the last that is not opaque', () => {
    const { colours, alphas } = paletteChunks(new Uint8Array([1, 2, 3, 255, 4, 5, 6, 7, 8, 9, 10, 255]));
    expect([...colours]).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 10]);
    expect([...alphas]).toEqual([255, 7]);
    expect(paletteChunks(new Uint8Array([1, 2, 3, 255])).alphas.length).toBe(0);
  });
});

describe('isPaletteWorthIt', () => {
  it('counts what the palette itself takes', () => {
    expect(isPaletteWorthIt(64, 3, 64)).toBe(false);
    expect(isPaletteWorthIt(1920 * 1080, 3, 256)).toBe(true);
    expect(isPaletteWorthIt(1_000_000, 1, 2)).toBe(true);
    expect(isPaletteWorthIt(1_000_000, 1, 17)).toBe(false);
  });
});

describe('unindexedRows', () => {
  it('gives the pixels that the indices stand for', () => {
    const palette = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
    const rows = [...unindexedRows(new Uint8Array([0, 1, 1, 0]), 2, palette)].length;
    expect(rows).toBe(2);
    const copies = [];
    for (const row of unindexedRows(new Uint8Array([0, 1, 1, 0]), 2, palette)) copies.push([...row]);
    expect(copies).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8],
      [5, 6, 7, 8, 1, 2, 3, 4],
    ]);
  });
});
