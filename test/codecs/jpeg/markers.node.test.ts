import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { firstDifference, readWhole } from '../../cases/decoder_cases.ts';
import { inkOracle, oracle } from '../../fixtures/jpeg_oracle.ts';
import { type RandomJpeg, randomJpeg, samplingOf } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';

const MODES = ['baseline', 'lone scans', 'progressive'] as const;
/** T.81 B.2.3: blocks of an MCU. */
const MOST_BLOCKS = 10;

type Factors = RandomJpeg['sampling'][number];

/** Any factors that divide the largest ones: other ratios libjpeg does not read. */
const sampling = (components: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), fc.nat(components - 1))
    .chain(([h, v, largest]) => {
      const divisors = (of: number) => [1, 2, 3, 4].filter((factor) => of % factor === 0);
      const one = fc.tuple(fc.constantFrom(...divisors(h)), fc.constantFrom(...divisors(v)));
      return fc
        .array(one, { minLength: components, maxLength: components })
        .map((all): Factors[] => all.map((factors, index) => (index === largest ? [h, v] : factors)));
    });

const recipes = (components: number) =>
  fc
    .record({
      width: fc.integer({ min: 1, max: 70 }),
      height: fc.integer({ min: 1, max: 70 }),
      sampling: sampling(components),
      mode: fc.constantFrom(...MODES),
      restart: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 })),
      seed: fc.integer({ min: 1, max: 1 << 20 }),
    })
    .filter(
      (recipe) =>
        recipe.mode === 'lone scans' ||
        recipe.sampling.reduce((sum, [h, v]) => sum + h * v, 0) <= MOST_BLOCKS,
    );

/** With the transform of an Adobe marker, or without a marker. */
function tagged(recipe: RandomJpeg, adobe: 0 | 1 | 2 | undefined): Uint8Array {
  const { adobe: _, ...plain } = randomJpeg(recipe);
  return writeJpeg({ ...plain, ...(adobe !== undefined && { adobe }) });
}

describe('JPEG of any sampling, restart interval, way of scanning and Adobe marker, against libjpeg-turbo', () => {
  it.each([
    [3, undefined],
    [3, 0],
    [3, 1],
    [4, undefined],
    [4, 0],
    [4, 2],
  ] as const)('%i components, transform %s', async (components, adobe) => {
    const read = components === 4 ? inkOracle : oracle;
    await fc.assert(
      fc.asyncProperty(recipes(components), async (recipe) => {
        const bytes = tagged(recipe, adobe);
        using raster = openJpeg(bytes);
        expect(firstDifference(readWhole(raster), await read(bytes))).toBe('none');
      }),
      { numRuns: 120, seed: 8 + components },
    );
  });
});

const PICTURES: Readonly<Record<string, readonly Factors[]>> = {
  grey: [[1, 1]],
  '4:4:4': samplingOf('11 11 11'),
  '4:2:2': samplingOf('21 11 11'),
  '4:2:0': samplingOf('22 11 11'),
  '4:4:0': samplingOf('12 11 11'),
  '4:1:1': samplingOf('41 11 11'),
  'of a quarter in height': samplingOf('24 11 11'),
  mixed: samplingOf('22 21 12'),
};

/** libvips lets libjpeg shrink to twice the size asked for, then takes every other pixel. */
async function everyOther(
  bytes: Uint8Array,
  width: number,
  height: number,
): Promise<{ data: Buffer; channels: number }> {
  const { data, info } = await sharp(bytes)
    .resize(width, height, { kernel: 'nearest', fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, channels: info.channels };
}

describe('JPEG decoded at a fraction of its size, against libjpeg-turbo', () => {
  it.each([2, 4, 8])('1/%i equals it in every other pixel, at all samplings', async (scale) => {
    const [width, height] = [384, 256];
    for (const [name, factors] of Object.entries(PICTURES)) {
      for (const mode of ['baseline', 'progressive'] as const) {
        const bytes = writeJpeg(randomJpeg({ width, height, sampling: factors, mode, seed: 7 }));
        using raster = openJpeg(bytes, { minWidth: width / scale });
        const ours = readWhole(raster);
        const [w, h] = [width / scale / 2, height / scale / 2];
        const { data, channels } = await everyOther(bytes, w, h);
        let differences = 0;
        for (let i = 0; i < w * h; i++) {
          const at = ((2 * Math.floor(i / w) + 1) * raster.width + 2 * (i % w) + 1) * 4;
          for (let c = 0; c < 3; c++) {
            if (ours[at + c] !== data[i * channels + (channels === 1 ? 0 : c)]) differences++;
          }
        }
        expect({ name, mode, differences, width: raster.width }).toEqual({
          name,
          mode,
          differences: 0,
          width: width / scale,
        });
      }
    }
  });
});

/** A file whose tables are sent again, changed, between its parts. */
describe('tables of a JPEG, redefined between scans', () => {
  const recipe = randomJpeg({
    width: 40,
    height: 33,
    sampling: samplingOf('21 11 11'),
    mode: 'lone scans',
    seed: 5,
  });

  /** Where each scan header begins. */
  function scanStarts(bytes: Uint8Array): number[] {
    const starts: number[] = [];
    for (let at = 2; at < bytes.length - 1; at++) {
      if (bytes[at] === 0xff && bytes[at + 1] === 0xda) starts.push(at);
    }
    return starts;
  }

  const quantisation = (destination: number, step: number) =>
    Uint8Array.from([
      0xff,
      0xdb,
      0,
      67,
      destination,
      ...Array.from({ length: 64 }, (_, i) => step + (i >> 4)),
    ]);

  it.each([0, 1])('a quantisation table (destination %i) counts from its scan on', async (destination) => {
    const file = writeJpeg(recipe);
    const starts = scanStarts(file);
    expect(starts).toHaveLength(3);
    const parts = [0, ...starts, file.length];
    for (let scan = 0; scan < 3; scan++) {
      const at = parts[scan + 1]!;
      const bytes = new Uint8Array([
        ...file.subarray(0, at),
        ...quantisation(destination, 20 + scan),
        ...file.subarray(at),
      ]);
      using raster = openJpeg(bytes);
      expect(firstDifference(readWhole(raster), await oracle(bytes))).toBe('none');
    }
  });
});
