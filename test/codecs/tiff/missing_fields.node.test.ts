import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole, firstDifference } from '../../cases/decoder_cases.ts';
import { inkOracle } from '../../fixtures/jpeg_oracle.ts';
import { randomJpeg, samplingOf } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
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
