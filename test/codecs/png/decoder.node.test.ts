import { describe, expect, it } from 'vitest';
import { pngDecoder } from '../../../src/codecs/png/decoder.ts';
import { attempt, firstDifference } from '../../cases/decoder_cases.ts';
import { kindRecipes, pngSample, recipeName } from '../../fixtures/png_samples.ts';
import { type PngRecipe, writePng } from '../../fixtures/png_writer.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

/** The recipes that the two read differently. */
async function differing(recipes: readonly PngRecipe[]): Promise<string[]> {
  const found = await Promise.all(recipes.map(difference));
  return recipes.flatMap((recipe, i) => (found[i] === 'none' ? [] : [`${recipeName(recipe)}: ${found[i]}`]));
}

async function difference(recipe: PngRecipe): Promise<string> {
  const sample = pngSample(recipe);
  const [read, oracle] = [await attempt(pngDecoder, sample), await readBySharp(sample.bytes)];
  return read instanceof Error ? read.message : firstDifference(read, oracle.pixels);
}

describe('PNG decoder against libvips', () => {
  it('the writer of test files writes what it was asked to', async () => {
    const samples = Array.from({ length: 6 * 5 * 3 }, (_, i) => (i * 37) & 255);
    for (const interlaced of [false, true]) {
      const bytes = writePng({ width: 6, height: 5, samples, interlaced });
      const { pixels } = await readBySharp(bytes);
      expect([...pixels.filter((_, i) => i % 4 !== 3)]).toEqual(samples);
    }
  });

  it('reads every colour type, depth, interlacing and tRNS alike, at sizes 1 to 33', async () => {
    for (let turn = 0; turn < 18; turn++) {
      const size = { width: 1 + ((turn * 13) % 33), height: 1 + ((turn * 7) % 33) };
      const recipes = kindRecipes(size).map((recipe) => ({ ...recipe, seed: turn + 1 }));
      expect(await differing(recipes)).toEqual([]);
    }
  });

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
