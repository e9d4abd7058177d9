import { describe, expect, it } from 'vitest';
import { openingWork } from '../../../src/codecs/tiff/cost.ts';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { Sources } from '../../../src/codecs/tiff/sources.ts';
import { type TimeSlice, uninterrupted } from '../../../src/scheduling/time_slice.ts';
import { stillFacts } from '../../cases/decoder_cases.ts';
import { pageOf } from '../../fixtures/tiff_page.ts';
import { type TiffRecipe, writeTiff } from '../../fixtures/tiff_writer.ts';

const LZW = 5;
const value = (x: number, y: number) => (x + y) & 255;

/** Work that is told of beside strips, while all of a page is read. */
async function workOf(recipe: TiffRecipe): Promise<number> {
  const facts = stillFacts('tiff', recipe.width, recipe.height, { channels: recipe.samples ?? 1 });
  using raster = await tiffDecoder.open(writeTiff(recipe), facts, {});
  let work = 0;
  for (const strip of raster.strips()) if (typeof strip === 'number') work += strip;
  return work;
}

describe('a page of very many strips or tiles', () => {
  it('has its LZW tables made once, however many there are, and for each that is open at a time', () => {
    const page = pageOf(writeTiff({ width: 2, height: 2, compression: LZW, rowsPerStrip: 1, value }));
    using sources = new Sources(page);
    const stored = page.chunks.bytesOf(0, 0, 0);
    const first = sources.open(stored);
    const beside = sources.open(stored);
    expect(beside).not.toBe(first);
    sources.reset();
    expect(sources.open(stored)).toBe(first);
    expect(sources.open(stored)).toBe(beside);
  });

  it('tells of the work of opening each, side by side, one by one, in planes', async () => {
    const strips = { width: 1, height: 4096, compression: LZW, rowsPerStrip: 1, value };
    expect(await workOf(strips)).toBe(4096 * openingWork(LZW));
    const tiles: TiffRecipe = { width: 256, height: 256, compression: LZW, tile: [16, 16], value };
    expect(await workOf(tiles)).toBeGreaterThanOrEqual(256 * openingWork(LZW));
    const planes = { ...strips, samples: 3, photometric: 2, planar: true };
    // What has not added up to a piece of work by the end is not told.
    expect(await workOf(planes)).toBeGreaterThan(3 * 4096 * openingWork(LZW) - 65_536);
  });

  it('gives way while it is opened', async () => {
    const recipe = { width: 1, height: 60_000, compression: 1, rowsPerStrip: 1, value };
    let spent = 0;
    const slice: TimeSlice = {
      ...uninterrupted,
      spend: (work) => {
        spent += work;
        return undefined;
      },
    };
    const facts = stillFacts('tiff', 1, 60_000, { channels: 1 });
    using _raster = await tiffDecoder.open(writeTiff(recipe), facts, {}, slice);
    expect(spent).toBeGreaterThan(100_000);
  });
});
