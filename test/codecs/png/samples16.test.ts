import { describe, expect, it } from 'vitest';
import { pngDecoder } from '../../../src/codecs/png/decoder.ts';
import type { DecodedRaster } from '../../../src/codecs/types.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { kindRecipes, pngSample, recipeName } from '../../fixtures/png_samples.ts';
import { type PngRecipe, writePng } from '../../fixtures/png_writer.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { readPicture, strips16Of } from '../../fixtures/raster.ts';

const SIZE = { width: 23, height: 29 };
const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

/** Random samples, half of the pixels like the first one: its colour is what tRNS names. */
function withSamples(recipe: PngRecipe): PngRecipe & { samples: number[] } {
  const random = seededRandom(5);
  const channels = CHANNELS[recipe.colourType ?? 2];
  const samples: number[] = [];
  for (let i = 0; i < SIZE.width * SIZE.height; i++) {
    const again = i > 0 && random() < 0.5;
    for (let c = 0; c < channels; c++) samples.push(again ? samples[c]! : Math.floor(random() * 65_536));
  }
  return { ...recipe, samples };
}

/** The slow way from stored samples to RGBA. */
function expected({ colourType, samples, transparency }: ReturnType<typeof withSamples>): Uint16Array {
  const channels = CHANNELS[colourType ?? 2];
  const colours = channels < 3 ? 1 : 3;
  const pixels: number[] = [];
  for (let at = 0; at < samples.length; at += channels) {
    const colour = samples.slice(at, at + colours);
    const keyed = transparency && colour.every((sample, c) => sample === samples[c]);
    const alpha = channels % 2 === 0 ? samples[at + colours]! : keyed ? 0 : 65_535;
    pixels.push(colour[0]!, colour[1] ?? colour[0]!, colour[2] ?? colour[0]!, alpha);
  }
  return Uint16Array.from(pixels);
}

function readSamples16(raster: DecodedRaster): Uint16Array {
  const samples = new Uint16Array(raster.width * raster.height * 4);
  let next = 0;
  for (const strip of strips16Of(raster)) {
    expect(strip.y).toBe(next);
    expect(strip.samples.length).toBe(strip.rows * raster.width * 4);
    samples.set(strip.samples, strip.y * raster.width * 4);
    next += strip.rows;
  }
  expect(next).toBe(raster.height);
  return samples;
}

describe('PNG of 16 bits, whole', () => {
  for (const kind of kindRecipes(SIZE).filter(({ depth }) => depth === 16)) {
    it(`gives every bit of ${recipeName(kind)}, again and beside the strips of 8`, async () => {
      const recipe = withSamples(kind);
      const { bytes, facts } = pngSample(recipe);
      using raster = await pngDecoder.open(bytes, facts, { preferHighBitDepth: true });
      const samples16 = readSamples16(raster);
      expect(samples16).toEqual(expected(recipe));
      expect(readPicture(raster).pixels).toEqual(Uint8Array.from(samples16, (sample) => sample >> 8));
      for (const _ of strips16Of(raster)) break;
      expect(readSamples16(raster)).toEqual(samples16);
    });
  }

  it('is not offered for fewer bits', async () => {
    const { bytes, facts } = pngSample({ ...SIZE, depth: 8 });
    using raster = await pngDecoder.open(bytes, facts, {});
    expect(raster.strips16).toBeUndefined();
  });

  it('names the row at which the data end', async () => {
    const whole = writePng({ ...SIZE, depth: 16, idat: [900], level: 0 });
    const { facts } = pngSample({ ...SIZE, depth: 16 });
    const damaged = whole.slice();
    // Inside the second IDAT chunk's data.
    damaged[1500] = damaged[1500]! ^ 255;
    using raster = await pngDecoder.open(damaged, facts, {});
    expect(() => readSamples16(raster)).toThrow(/damaged at row \d+ of 29|after row 29/);
  });

  it('takes the strip of 16-bit samples into its cost', () => {
    const { facts } = pngSample({ ...SIZE, depth: 16 });
    const more =
      totalBytes(pngDecoder.cost(facts, { preferHighBitDepth: true })) -
      totalBytes(pngDecoder.cost(facts, {}));
    expect(more).toBe(SIZE.width * SIZE.height * 8);
  });
});
