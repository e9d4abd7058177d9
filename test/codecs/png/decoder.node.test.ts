import { describe, expect, it } from 'vitest';
import { kindRecipes } from '../../fixtures/png_samples.ts';
import { writePng } from '../../fixtures/png_writer.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import { difference, differing, readsEveryKind } from './libvips_suite.ts';

describe('PNG decoder against libvips', () => {
  it('the writer of test files writes what it was asked to', async () => {
    const samples = Array.from({ length: 6 * 5 * 3 }, (_, i) => (i * 37) & 255);
    for (const interlaced of [false, true]) {
      const bytes = writePng({ width: 6, height: 5, samples, interlaced });
      const { pixels } = await readBySharp(bytes);
      expect([...pixels.filter((_, i) => i % 4 !== 3)]).toEqual(samples);
    }
  });

  // At more sizes: decoder.slow.node.test.ts.
  readsEveryKind(6);

  it('undoes every filter alike, for every distance between bytes', async () => {
    for (const filter of [0, 1, 2, 3, 4] as const) {
      const recipes = kindRecipes({ width: 29, height: 11 }).map((recipe) => ({
        ...recipe,
        filter,
        seed: filter + 50,
      }));
      expect(await differing(recipes)).toEqual([]);
    }
  });

  it('goes on across strips alike', async () => {
    for (const colourType of [0, 2, 6] as const) {
      for (const interlaced of [false, true]) {
        expect(await difference({ width: 700, height: 230, colourType, interlaced, level: 1 })).toBe('none');
      }
    }
  });
});
