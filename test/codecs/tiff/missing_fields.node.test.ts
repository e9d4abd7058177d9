import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole, firstDifference } from '../../cases/decoder_cases.ts';
import { inkOracle } from '../../fixtures/jpeg_oracle.ts';
import { randomJpeg, samplingOf } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { sanitized } from '../../fixtures/sanitized.ts';
import { type TiffRecipe, writeTiff } from '../../fixtures/tiff_writer.ts';

/** What libtiff reads, through libvips. */
const oracle = async (bytes: Uint8Array) =>
  new Uint8Array(await sharp(bytes, { failOn: 'none' }).toColourspace('srgb').ensureAlpha().raw().toBuffer());

async function decode(bytes: Uint8Array): Promise<Uint8Array> {
  const facts = scan(bytes)!;
  expect(facts).toMatchObject({ complete: true });
  return (await decodeWhole(tiffDecoder, { bytes, facts })).pixels;
}

const grey: TiffRecipe = { width: 40, height: 24, value: (x, y) => (x * 9 + y * 7) & 255 };
const fax: TiffRecipe = { width: 40, height: 24, bits: 1, value: (x, y) => ((x * y) >> 3) & 1 };
const inks = (adobe?: 0 | 1 | 2): TiffRecipe => {
  const recipe = { width: 40, height: 24, sampling: samplingOf('11 11 11 11'), seed: 5 } as const;
  const { adobe: _, ...plain } = randomJpeg({ ...recipe, mode: 'baseline' });
  const stored = [writeJpeg({ ...plain, ...(adobe !== undefined && { adobe }) })];
  return { width: 40, height: 24, value: () => 0, samples: 4, photometric: 5, compression: 7, stored };
};

const COMPRESSIONS: readonly (readonly [name: string, recipe: TiffRecipe])[] = [
  ['none', grey],
  ['LZW', { ...grey, compression: 5 }],
  ['Deflate', { ...grey, compression: 8 }],
  ['old Deflate', { ...grey, compression: 32946 }],
  ['PackBits', { ...grey, compression: 32773 }],
  ['run lengths', { ...fax, photometric: 0, compression: 2 }],
  ['Group 3', { ...fax, photometric: 0, compression: 3 }],
  ['Group 4', { ...fax, photometric: 0, compression: 4 }],
  ['JPEG', inks()],
];

/** The same file whose chunks state a length of 0. */
function withoutLengths(recipe: TiffRecipe): Uint8Array {
  const tag = recipe.tile ? 325 : 279;
  const rows = recipe.tile?.[1] ?? recipe.rowsPerStrip ?? recipe.height;
  const across = recipe.tile ? Math.ceil(recipe.width / recipe.tile[0]) : 1;
  const count = across * Math.ceil(recipe.height / rows);
  return writeTiff({ ...recipe, tags: { [tag]: { type: 'long', values: Array(count).fill(0) } } });
}

describe('a TIFF whose strips or tiles state a length of 0', () => {
  it.each(COMPRESSIONS)('is read: %s', async (_, recipe) => {
    const layouts = recipe.stored ? [{}] : [{}, { rowsPerStrip: 5 }, { tile: [16, 16] as const }];
    for (const layout of layouts) {
      const whole = writeTiff({ ...recipe, ...layout });
      const pixels = await decode(withoutLengths({ ...recipe, ...layout }));
      expect(firstDifference(pixels, await decode(whole)), JSON.stringify(layout)).toBe('none');
      if (!recipe.stored) expect(firstDifference(pixels, await oracle(whole))).toBe('none');
    }
  });

  it.each(COMPRESSIONS.slice(0, 5))('is read as libtiff does, in one strip: %s', async (_, recipe) => {
    const bytes = withoutLengths(recipe);
    expect(firstDifference(await decode(bytes), await oracle(bytes))).toBe('none');
  });

  it('claims no bytes behind its pixels as a trailer', () => {
    expect(scan(withoutLengths(grey))!.blocks).toEqual([]);
  });
});

describe('a fax that does not say whether 0 is black or white', () => {
  it.each([2, 3, 4] as const)('has white paper, as in libtiff: compression %i', async (compression) => {
    const untold = writeTiff({ ...fax, compression, tags: { 262: undefined } });
    // libvips refuses a file without this tag
    const white = writeTiff({ ...fax, compression, photometric: 0 });
    expect(firstDifference(await decode(untold), await oracle(white))).toBe('none');
  });

  it('is grey from black on in any other compression', async () => {
    const untold = writeTiff({ ...fax, compression: 5, tags: { 262: undefined } });
    const black = writeTiff({ ...fax, compression: 5, photometric: 1 });
    expect(firstDifference(await decode(untold), await oracle(black))).toBe('none');
  });
});

describe('JPEG data of four inks in a TIFF', () => {
  it.each([undefined, 0, 1, 2] as const)('means what the TIFF says, Adobe marker %s', async (adobe) => {
    const bytes = writeTiff(inks(adobe));
    expect(firstDifference(await decode(bytes), await inkOracle(bytes, 'error'))).toBe('none');
  });
});

describe('modified Huffman that is called Group 3', () => {
  it.each([
    ['of one width', 40],
    ['of whole bytes', 64],
    ['of an odd width', 37],
  ])('is read by whole bytes: %s', async (_, width) => {
    for (const layout of [{}, { rowsPerStrip: 5 }, { reversed: true }]) {
      const recipe = { ...fax, width, photometric: 0, compression: 2, ...layout };
      const called = writeTiff({ ...recipe, tags: { 259: { type: 'short', values: [3] } } });
      expect(firstDifference(await decode(called), await decode(writeTiff(recipe)))).toBe('none');
    }
  });
});

/** The grey of the first row of a file of one strip. */
async function greys(recipe: Partial<TiffRecipe>): Promise<number[]> {
  const file = writeTiff({ width: 5, height: 1, value: (x) => x * 25, ...recipe });
  return [...(await decode(file))].filter((_, at) => at % 4 === 0);
}
const range = (min: number, max: number, type: 'long' | 'rational' | 'short' = 'long') => ({
  340: { type, values: [min] },
  341: { type, values: [max] },
});

describe('samples whose black and white are stated (TIFF 6.0 section 20)', () => {
  const stretched = [0, 64, 128, 191, 255];

  it.each<[string, Partial<TiffRecipe>]>([
    ['32 bits', { bits: 32, tags: range(0, 100) }],
    ['32 bits, big-endian', { bits: 32, bigEndian: true, tags: range(0, 100) }],
    ['64 bits', { bits: 64, tags: range(0, 100) }],
    ['32 signed bits', { bits: 32, format: 2, tags: range(0, 100) }],
    ['16 signed bits', { bits: 16, format: 2, tags: range(0, 100, 'short') }],
    ['8 signed bits', { bits: 8, format: 2, tags: range(0, 100, 'short') }],
    ['signed, LZW', { bits: 16, format: 2, compression: 5, predictor: 2, tags: range(0, 100) }],
    ['white first', { bits: 32, photometric: 0, value: (x) => 100 - x * 25, tags: range(0, 100) }],
    ['from 1,000 to 1,400', { bits: 32, value: (x) => 1000 + x * 100, tags: range(1000, 1400) }],
    ['clipped', { bits: 32, value: (x) => (x === 4 ? 999 : x * 25), tags: range(0, 100) }],
  ])('are stretched: %s', async (_, recipe) => {
    (await greys(recipe)).forEach((grey, x) => {
      expect(Math.abs(grey - stretched[x]!)).toBeLessThanOrEqual(1);
    });
    expect(scan(writeTiff({ width: 5, height: 1, value: () => 0, ...recipe }))).not.toHaveProperty(
      'assumedRange',
    );
  });

  it('are stretched before real numbers become light', async () => {
    const [black, , , , white] = await greys({ bits: 32, format: 3, tags: range(0, 100, 'rational') });
    expect([black, white]).toEqual([0, 255]);
  });

  it('are left alone where they can only be statistics', async () => {
    expect(await greys({ tags: range(50, 60, 'short') })).toEqual([0, 25, 50, 75, 100]);
    expect(await greys({ bits: 32, tags: range(100, 100) })).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('samples whose black and white are not stated', () => {
  it.each<[string, Partial<TiffRecipe>, boolean]>([
    ['8 bits', {}, false],
    ['16 bits', { bits: 16 }, false],
    ['32 bits', { bits: 32 }, true],
    ['signed', { bits: 16, format: 2 }, true],
    ['real numbers', { bits: 32, format: 3 }, true],
    ['half a range', { bits: 32, tags: { 340: { type: 'long', values: [0] } } }, true],
    ['a range of nothing', { bits: 32, tags: range(7, 7) }, true],
  ])('are said to be assumed: %s', async (_, recipe, expected) => {
    const file = writeTiff({ width: 5, height: 1, value: () => 0, ...recipe });
    const { report } = await sanitized(file, {});
    expect(report.warningCodes.includes('sample_range_assumed')).toBe(expected);
  });
});
