import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import type { DecodedRaster } from '../../../src/codecs/types.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { readPicture, strips16Of } from '../../fixtures/raster.ts';
import { type TiffRecipe, writeTiff } from '../../fixtures/tiff_writer.ts';

const open = (recipe: TiffRecipe): Promise<DecodedRaster> => {
  const bytes = writeTiff(recipe);
  return tiffDecoder.open(bytes, scan(bytes)!, { preferHighBitDepth: true });
};

function readSamples16(raster: DecodedRaster): Uint16Array {
  const samples = new Uint16Array(raster.width * raster.height * 4);
  let next = 0;
  for (const strip of strips16Of(raster)) {
    expect(strip.y).toBe(next);
    samples.set(strip.samples, strip.y * raster.width * 4);
    next += strip.rows;
  }
  expect(next).toBe(raster.height);
  return samples;
}

/** An embedded profile, of which only the presence matters here. */
const PROFILED = { 34675: { type: 'byte', values: Array.from({ length: 132 }, () => 0) } } as const;

describe('TIFF samples of more than 8 bits, whole', () => {
  const recipes = fc.record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 20 }),
    bits: fc.constantFrom(9, 10, 12, 14, 16, 24, 32),
    samples: fc.constantFrom(1, 2, 3, 4),
    planar: fc.boolean(),
    bigEndian: fc.boolean(),
    compression: fc.constantFrom(1, 5, 8),
    tile: fc.constantFrom(undefined, [16, 16] as const),
    seed: fc.nat(1000),
  });

  it('are the highest 16 bits, whatever the layout, and their high bytes are the 8-bit strips', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, async ({ seed, samples, bits, tile, ...rest }) => {
        const colours = samples < 3 ? 1 : 3;
        const value = (x: number, y: number, sample: number) =>
          ((x * 7919 + y * 104_729 + sample * 1299 + seed) * 48_271) % 2 ** Math.min(bits, 31);
        const alpha = samples > colours;
        using raster = await open({
          ...rest,
          ...(tile && { tile }),
          bits,
          samples,
          value,
          photometric: colours === 3 ? 2 : 1,
          tags: { ...(alpha && { 338: { type: 'short', values: [2] } }) },
        });
        const widened = (stored: number) =>
          bits >= 16
            ? Math.floor(stored / 2 ** (bits - 16))
            : (stored << (16 - bits)) | (stored >> (2 * bits - 16));
        const expected: number[] = [];
        for (let y = 0; y < rest.height; y++) {
          for (let x = 0; x < rest.width; x++) {
            const all = Array.from({ length: samples }, (_, sample) => widened(value(x, y, sample)));
            expected.push(
              all[0]!,
              all[colours === 3 ? 1 : 0]!,
              all[colours === 3 ? 2 : 0]!,
              alpha ? all[colours]! : 65_535,
            );
          }
        }
        const samples16 = readSamples16(raster);
        expect(samples16).toEqual(Uint16Array.from(expected));
        expect(readPicture(raster).pixels).toEqual(Uint8Array.from(samples16, (sample) => sample >> 8));
      }),
      { numRuns: 60, seed: 9 },
    );
  });

  it('turn white-is-zero around, move signs, divide by alpha', async () => {
    const one = { width: 1, height: 1, bits: 16 };
    using inverted = await open({ ...one, photometric: 0, value: () => 1000 });
    expect([...readSamples16(inverted)]).toEqual([64_535, 64_535, 64_535, 65_535]);
    using signed = await open({ ...one, format: 2, value: () => -32_768 });
    expect([...readSamples16(signed)]).toEqual([0, 0, 0, 65_535]);
    const associated = { 338: { type: 'short', values: [1] } } as const;
    using multiplied = await open({
      ...one,
      samples: 2,
      tags: associated,
      value: (_x, _y, s) => [10_000, 20_000][s]!,
    });
    expect([...readSamples16(multiplied)]).toEqual([32_768, 32_768, 32_768, 20_000]);
  });

  it('read real numbers as codes where a profile says what they mean, and not otherwise', async () => {
    const real = {
      width: 3,
      height: 1,
      bits: 32,
      format: 3,
      value: (x: number) => [0.5, -1, 7][x]!,
    } as const;
    using profiled = await open({ ...real, tags: PROFILED });
    expect([...readSamples16(profiled)].filter((_, i) => i % 4 === 0)).toEqual([32_768, 0, 65_535]);
    using plain = await open(real);
    expect(plain.strips16).toBeUndefined();
  });

  it('are not offered of 8 bits, palettes and cmyk', async () => {
    using bytes = await open({ width: 2, height: 2, value: () => 3 });
    expect(bytes.strips16).toBeUndefined();
    using cmyk = await open({ width: 2, height: 2, bits: 16, samples: 4, photometric: 5, value: () => 3 });
    expect(cmyk.strips16).toBeUndefined();
  });

  it('stay within the predicted bytes', async () => {
    const bytes = writeTiff({
      width: 900,
      height: 300,
      bits: 16,
      samples: 3,
      photometric: 2,
      value: (x) => x,
    });
    const facts = scan(bytes)!;
    const [of8, of16] = [{}, { preferHighBitDepth: true }].map((want) => tiffDecoder.cost(facts, want));
    expect(of16!.elsewhere).toBe(2 * of8!.elsewhere);
    expect(of16!.inCores).toBe(of8!.inCores);
  });
});

describe('TIFF cmyk', () => {
  it.each([8, 16])('come as stored from %i bits', async (bits) => {
    const value = (x: number, y: number, component: number) => (x * 31 + y * 17 + component * 63) % 256;
    const scale = bits === 16 ? 257 : 1;
    using raster = await open({
      width: 9,
      height: 5,
      bits,
      samples: 4,
      photometric: 5,
      value: (x, y, component) => value(x, y, component) * scale,
    });
    const { pixels } = readPicture(raster.cmyk!);
    expect(pixels).toEqual(
      Uint8Array.from({ length: 9 * 5 * 4 }, (_, i) => value((i >> 2) % 9, Math.floor(i / 36), i % 4)),
    );
  });

  it('are not offered where alpha would be lost, nor of RGB', async () => {
    const alpha = { 338: { type: 'short', values: [2] } } as const;
    using withAlpha = await open({
      width: 1,
      height: 1,
      samples: 5,
      photometric: 5,
      tags: alpha,
      value: () => 9,
    });
    expect(withAlpha.cmyk).toBeUndefined();
    using rgb = await open({ width: 1, height: 1, samples: 3, photometric: 2, value: () => 9 });
    expect(rgb.cmyk).toBeUndefined();
  });
});
