import { describe, expect, it } from 'vitest';
import { pngDecoder } from '../../../src/codecs/png/decoder.ts';
import { Fault } from '../../../src/faults.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { attempt, firstDifference } from '../../cases/decoder_cases.ts';
import { corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';
import { heldBytesOf } from '../../fixtures/held_bytes.ts';
import { kindRecipes, pngSample, recipeName } from '../../fixtures/png_samples.ts';
import { type PngRecipe, writePng } from '../../fixtures/png_writer.ts';
import { stripsOf } from '../../fixtures/raster.ts';
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

describe('PNG decoder on real files', () => {
  const files = corpusFiles('png');
  it.skipIf(files.length === 0)(`meets what is expected of ${files.length} files`, async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const file of files) {
      const bytes = corpusBytes(file);
      const facts = scan(bytes);
      if (!facts || facts.width * facts.height > 60_000_000) continue;
      const large = facts.width * facts.height > 4_000_000;
      let outcome: Uint8Array | Fault;
      try {
        outcome = await readAll(bytes, large);
      } catch (error) {
        if (!(error instanceof Fault)) throw new Error(file.file, { cause: error });
        outcome = error;
      }
      const status = outcome instanceof Fault ? 422 : 200;
      // Larger than the service's limit of pixels is for another room to refuse.
      if (!file.expect.status.includes(status) && !file.expect.status.includes(413)) {
        wrong.push(`${file.file}: ${outcome instanceof Fault ? outcome.message : 'was read'}`);
      }
      if (outcome instanceof Fault || large || facts.blocks.some(({ name }) => name === 'icc')) continue;
      const oracle = await readBySharp(bytes).catch(() => undefined);
      if (!oracle) continue;
      compared++;
      const found = firstDifference(outcome, oracle.pixels);
      if (found !== 'none') wrong.push(`${file.file}: ${found}`);
    }
    console.log(`PNG corpus: ${files.length} files, ${compared} compared pixel by pixel`);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(150);
  });

  /** Every pixel, or none where they would fill the memory; never more than a few megabytes held. */
  async function readAll(bytes: Uint8Array, large: boolean): Promise<Uint8Array> {
    const facts = scan(bytes)!;
    const cost = totalBytes(pngDecoder.cost(facts, {}));
    using raster = await pngDecoder.open(bytes, facts, {});
    const parts: Uint8Array[] = [];
    for (const strip of stripsOf(raster)) {
      expect(heldBytesOf(raster, strip)).toBeLessThanOrEqual(cost);
      expect(cost).toBeLessThan(4_000_000);
      if (!large) parts.push(strip.pixels.slice());
    }
    return Buffer.concat(parts);
  }
});
