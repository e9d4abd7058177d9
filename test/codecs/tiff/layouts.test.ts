import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { decodeWhole, stillFacts } from '../../cases/decoder_cases.ts';
import { expectedPixels } from '../../fixtures/tiff_expected.ts';
import { type TiffField, type TiffRecipe, writeTiff } from '../../fixtures/tiff_writer.ts';

/** The largest difference of any byte between what is read and what the recipe shows. */
async function worst(recipe: TiffRecipe): Promise<number> {
  const facts = stillFacts('tiff', recipe.width, recipe.height, {
    channels: recipe.samples ?? 1,
    bitDepth: recipe.bits ?? 8,
  });
  const { pixels } = await decodeWhole(tiffDecoder, { bytes: writeTiff(recipe), facts });
  return pixels.reduce((most, value, at) => Math.max(most, Math.abs(value - expected(recipe)[at]!)), 0);
}

let last: { recipe: TiffRecipe; pixels: Uint8Array } | undefined;
function expected(recipe: TiffRecipe): Uint8Array {
  if (last?.recipe !== recipe) last = { recipe, pixels: expectedPixels(recipe) };
  return last.pixels;
}

/** Seeded noise in runs, so that every compression has something to do. */
const noise = (seed: number, modulus: number) => (x: number, y: number, sample: number) =>
  (Math.imul((x >> 1) + 31 * y + 977 * sample + seed, 0x9e3779b1) >>> 0) % modulus;

const layouts = fc.record({
  width: fc.integer({ min: 1, max: 40 }),
  height: fc.integer({ min: 1, max: 24 }),
  bigEndian: fc.boolean(),
  big: fc.boolean(),
  planar: fc.boolean(),
  reversed: fc.boolean(),
  compression: fc.constantFrom(1, 5, 8, 32773, 32946),
  cut: fc.oneof(
    fc.record({ rowsPerStrip: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ tile: fc.constantFrom([16, 16] as const, [32, 16] as const, [16, 48] as const) }),
  ),
  seed: fc.nat(1e6),
});
const modulusOf = (bits: number) => (bits > 31 ? 2 ** 32 : 2 ** bits);
/** Three values of `bits` bits for each colour of a palette. */
const colourMap = (bits: number): Record<number, TiffField> => ({
  320: { type: 'short', values: Array.from({ length: 3 << bits }, (_, at) => (at * 977) % 65536) },
});

const runs = { seed: 20261102, numRuns: 60 };

describe('the TIFF decoder', () => {
  it('reads unsigned samples of any depth in any layout', async () => {
    const depths = fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 24, 32, 64);
    await fc.assert(
      fc.asyncProperty(
        layouts,
        depths,
        fc.constantFrom(0, 1, 2, 5),
        async ({ cut, ...layout }, bits, photometric) => {
          const recipe: TiffRecipe = {
            ...layout,
            ...cut,
            bits,
            photometric,
            samples: photometric === 2 ? 3 : photometric === 5 ? 4 : 1,
            value: noise(layout.seed, modulusOf(bits)),
          };
          expect(await worst(recipe)).toBe(0);
        },
      ),
      { ...runs, numRuns: 200 },
    );
  });

  it('undoes differences of 8, 16, 32 and 64 bits', async () => {
    await fc.assert(
      fc.asyncProperty(layouts, fc.constantFrom(8, 16, 32, 64), async ({ cut, ...layout }, bits) => {
        const recipe: TiffRecipe = {
          ...layout,
          ...cut,
          compression: layout.compression === 8 ? 8 : 5,
          predictor: 2,
          bits,
          photometric: 2,
          samples: 3,
          value: noise(layout.seed, modulusOf(bits)),
        };
        expect(await worst(recipe)).toBe(0);
      }),
      runs,
    );
  });

  it('offsets signed samples by half their range', async () => {
    await fc.assert(
      fc.asyncProperty(layouts, fc.constantFrom(4, 8, 12, 16, 32), async ({ cut, ...layout }, bits) => {
        const value = noise(layout.seed, modulusOf(bits));
        const recipe: TiffRecipe = {
          ...layout,
          ...cut,
          bits,
          format: 2,
          value: (x, y, sample) => value(x, y, sample) - 2 ** (bits - 1),
        };
        expect(await worst(recipe)).toBe(0);
      }),
      runs,
    );
  });

  it('codes real numbers of 16, 24, 32 and 64 bits by the sRGB curve', async () => {
    await fc.assert(
      fc.asyncProperty(
        layouts,
        fc.constantFrom(16, 24, 32, 64),
        fc.boolean(),
        async ({ cut, ...layout }, bits, sorted) => {
          const recipe: TiffRecipe = {
            ...layout,
            ...cut,
            ...(sorted ? { predictor: 3, compression: 8 } : {}),
            bits,
            format: 3,
            photometric: 2,
            samples: 3,
            // Sixteenths from −0.25 to 1.25: exact in every size.
            value: (x, y, sample) => (noise(layout.seed, 24)(x, y, sample) - 4) / 16,
          };
          expect(await worst(recipe)).toBeLessThanOrEqual(1);
        },
      ),
      runs,
    );
  });

  it('takes real numbers for codes when a profile says what they mean', async () => {
    const recipe: TiffRecipe = {
      width: 5,
      height: 1,
      bits: 32,
      format: 3,
      value: (x) => x / 4,
      tags: { 34675: { type: 'byte', values: Array(128).fill(0) } },
    };
    const { pixels } = await decodeWhole(tiffDecoder, {
      bytes: writeTiff(recipe),
      facts: stillFacts('tiff', 5, 1, { channels: 1, bitDepth: 32 }),
    });
    expect([0, 4, 8, 12, 16].map((at) => pixels[at])).toEqual([0, 64, 128, 191, 255]);
  });

  it('looks palettes of 1, 2, 4 and 8 bits up', async () => {
    await fc.assert(
      fc.asyncProperty(layouts, fc.constantFrom(1, 2, 4, 8), async ({ cut, ...layout }, bits) => {
        const recipe: TiffRecipe = {
          ...layout,
          ...cut,
          bits,
          photometric: 3,
          value: noise(layout.seed, 2 ** bits),
          tags: colourMap(bits),
        };
        expect(await worst(recipe)).toBe(0);
      }),
      runs,
    );
  });

  it('reads alpha beside colour, wherever it stands, and undoes its multiplication', async () => {
    const extras = fc.constantFrom([2], [1], [0, 2], [0, 1, 0], [0]);
    await fc.assert(
      fc.asyncProperty(
        layouts,
        extras,
        fc.constantFrom(1, 2, 5),
        fc.constantFrom(8, 16),
        async ({ cut, ...layout }, extra, photometric, bits) => {
          const recipe: TiffRecipe = {
            ...layout,
            ...cut,
            bits,
            photometric,
            samples: { 1: 1, 2: 3, 5: 4 }[photometric] + extra.length,
            value: noise(layout.seed, 2 ** bits),
            tags: { 338: { type: 'short', values: extra } },
          };
          expect(await worst(recipe)).toBe(0);
        },
      ),
      runs,
    );
  });

  it('spreads subsampled YCbCr', async () => {
    const factor = fc.constantFrom(1, 2, 4);
    await fc.assert(
      fc.asyncProperty(layouts, factor, factor, async ({ cut, planar: _, ...layout }, across, down) => {
        const rowsPerStrip = 'rowsPerStrip' in cut ? Math.ceil(cut.rowsPerStrip / down) * down : undefined;
        const recipe: TiffRecipe = {
          ...layout,
          ...('tile' in cut ? { tile: cut.tile } : { rowsPerStrip: rowsPerStrip! }),
          photometric: 6,
          samples: 3,
          subsampling: [across, down],
          value: noise(layout.seed, 256),
        };
        expect(await worst(recipe)).toBeLessThanOrEqual(1);
      }),
      runs,
    );
  });

  it('reads fax data of any pattern', async () => {
    await fc.assert(
      fc.asyncProperty(
        layouts,
        fc.constantFrom(2, 3, 4),
        fc.integer({ min: 1, max: 6000 }),
        fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 900 })),
        async ({ cut, planar: _, ...layout }, compression, width, period) => {
          const recipe: TiffRecipe = {
            ...layout,
            width,
            height: 1 + (layout.height % 6),
            rowsPerStrip: 'rowsPerStrip' in cut ? cut.rowsPerStrip : 2,
            bits: 1,
            photometric: layout.seed % 2,
            compression,
            value: (x, y) =>
              (Math.floor((x + ((y * layout.seed) % (2 * period))) / period) +
                (x % (period + 7) === 3 ? 1 : 0)) %
              2,
          };
          expect(await worst(recipe)).toBe(0);
        },
      ),
      runs,
    );
  });
});

it('takes real numbers of a CMYK page for amounts of ink: the curve of light is not for them', async () => {
  const ink = [0.25, 0.5, 0, 0.2];
  const recipe: TiffRecipe = {
    width: 3,
    height: 2,
    samples: 4,
    photometric: 5,
    bits: 32,
    format: 3,
    value: (_x, _y, sample) => ink[sample]!,
  };
  const facts = stillFacts('tiff', 3, 2, { channels: 4, bitDepth: 32 });
  const { pixels } = await decodeWhole(tiffDecoder, { bytes: writeTiff(recipe), facts });
  // TIFF 6.0 section 16, without a profile: R = 255 · (1 − C) · (1 − K).
  const [red, green, blue] = [0.75 * 0.8 * 255, 0.5 * 0.8 * 255, 0.8 * 255];
  for (const [at, light] of [red, green, blue].entries()) {
    expect(Math.abs(pixels[at]! - light)).toBeLessThanOrEqual(1);
  }
});

it('the TIFF decoder tells grey and opaque pages', async () => {
  const traits = async (recipe: TiffRecipe) => {
    const facts = stillFacts('tiff', recipe.width, recipe.height, { channels: recipe.samples ?? 1 });
    using raster = await tiffDecoder.open(writeTiff(recipe), facts, {});
    return [raster.grey, raster.opaque];
  };
  const ramp: TiffRecipe['tags'] = {
    320: { type: 'short', values: [0, 1, 2].flatMap(() => [0, 100, 200, 300]) },
  };
  const base: TiffRecipe = { width: 12, height: 10, value: (x, y) => (x * 9 + y * 7) & 255 };
  expect(await traits(base)).toEqual([true, true]);
  expect(await traits({ ...base, samples: 3, photometric: 2 })).toEqual([false, true]);
  expect(await traits({ ...base, samples: 2, tags: { 338: { type: 'short', values: [2] } } })).toEqual([
    true,
    false,
  ]);
  expect(await traits({ ...base, bits: 2, photometric: 3, value: () => 1, tags: ramp })).toEqual([
    true,
    true,
  ]);
});
