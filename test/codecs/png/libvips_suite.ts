import { expect, it } from 'vitest';
import { pngDecoder } from '../../../src/codecs/png/decoder.ts';
import { attempt, firstDifference } from '../../cases/decoder_cases.ts';
import { kindRecipes, pngSample, recipeName } from '../../fixtures/png_samples.ts';
import type { PngRecipe } from '../../fixtures/png_writer.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

/** The recipes that the decoder and libvips read differently. */
export async function differing(recipes: readonly PngRecipe[]): Promise<string[]> {
  const found = await Promise.all(recipes.map(difference));
  return recipes.flatMap((recipe, i) => (found[i] === 'none' ? [] : [`${recipeName(recipe)}: ${found[i]}`]));
}

export async function difference(recipe: PngRecipe): Promise<string> {
  const sample = pngSample(recipe);
  const [read, oracle] = [await attempt(pngDecoder, sample), await readBySharp(sample.bytes)];
  return read instanceof Error ? read.message : firstDifference(read, oracle.pixels);
}

/** @param sizes how many, of 1 to 33 pixels along each side */
export function readsEveryKind(sizes: number): void {
  it(`reads every colour type, depth, interlacing and tRNS alike, at ${sizes} sizes of 1 to 33`, async () => {
    for (let turn = 0; turn < sizes; turn++) {
      const size = { width: 1 + ((turn * 13) % 33), height: 1 + ((turn * 7) % 33) };
      const recipes = kindRecipes(size).map((recipe) => ({ ...recipe, seed: turn + 1 }));
      expect(await differing(recipes)).toEqual([]);
    }
  });
}
