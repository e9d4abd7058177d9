import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gifDecoder } from '../../../src/codecs/gif/decoder.ts';
import { Fault } from '../../../src/faults.ts';
import { scan } from '../../../src/metadata/scan.ts';
import {
  attempt,
  type DecoderSample,
  decoderCases,
  decodeWhole,
  firstDifference,
  stillFacts,
} from '../../cases/decoder_cases.ts';
import type { Part } from '../../fixtures/bytes.ts';
import {
  comment,
  type GifRecipe,
  gifFile,
  gifLzw,
  graphicControl,
  image,
  writeGif,
} from '../../fixtures/gif_writer.ts';

/** A palette of `count` colours, no two alike. */
const colours = (count: number) =>
  Array.from({ length: count }, (_, index) => [index, (index * 7) & 255, 255 - index] as const);

const gradient = (width: number, height: number, count: number) =>
  Array.from({ length: width * height }, (_, at) => (at * at + (at >> 3)) % count);

/**
 * What the recipe shows: the frame on a transparent screen, entry by entry, with none of the decoder's code.
 */
function expectedPixels(recipe: GifRecipe): Uint8Array {
  const screenWidth = recipe.screenWidth ?? recipe.width;
  const screenHeight = recipe.screenHeight ?? recipe.height;
  const pixels = new Uint8Array(screenWidth * screenHeight * 4);
  for (let y = 0; y < recipe.height; y++) {
    for (let x = 0; x < recipe.width; x++) {
      const [toX, toY] = [x + (recipe.left ?? 0), y + (recipe.top ?? 0)];
      const index = recipe.indices[y * recipe.width + x]!;
      if (toX >= screenWidth || toY >= screenHeight || index === recipe.transparentIndex) continue;
      pixels.set([...(recipe.palette?.[index] ?? [0, 0, 0]), 255], (toY * screenWidth + toX) * 4);
    }
  }
  return pixels;
}

function sample(name: string, recipe: GifRecipe): DecoderSample {
  return {
    name,
    bytes: writeGif(recipe),
    facts: factsOf(recipe),
    pixels: expectedPixels(recipe),
    // Before the trailer, the end of the blocks and the last few codes of the first frame.
    cutAt: writeGif({ ...recipe, frames: 1 }).length - 8,
  };
}

const factsOf = (recipe: GifRecipe) =>
  stillFacts('gif', recipe.screenWidth ?? recipe.width, recipe.screenHeight ?? recipe.height, {
    progressive: recipe.interlaced ?? false,
    channels: 1,
    colour: 'palette',
  });

const picture = (
  width: number,
  height: number,
  count: number,
  other: Partial<GifRecipe> = {},
): GifRecipe => ({
  width,
  height,
  palette: colours(count),
  indices: gradient(width, height, count),
  ...other,
});

decoderCases({
  decoder: gifDecoder,
  samples: [
    sample('a plain picture', picture(23, 17, 256)),
    sample('an interlaced picture', picture(19, 29, 200, { interlaced: true })),
    sample('several strips', picture(900, 160, 4)),
    sample('several interlaced strips', picture(900, 150, 4, { interlaced: true })),
    sample(
      'a frame inside its screen',
      picture(7, 5, 16, { left: 3, top: 4, screenWidth: 20, screenHeight: 15 }),
    ),
    {
      ...sample(
        'a frame over the edge',
        picture(9, 9, 16, { left: 5, top: 3, screenWidth: 9, screenHeight: 8, interlaced: true }),
      ),
      // Twenty bytes into the codes: the frame's last rows are outside the screen and are not read.
      cutAt: 93,
    },
    sample(
      'a frame that ends above its screen',
      picture(800, 50, 7, { left: 50, top: 5, screenWidth: 900, screenHeight: 160 }),
    ),
    sample('transparency', picture(16, 16, 8, { transparentIndex: 3 })),
    sample('a local palette', picture(16, 16, 5, { paletteAt: 'local', version: '87a' })),
    sample('shades of grey', {
      ...picture(31, 9, 32),
      palette: Array.from({ length: 32 }, (_, index) => [index * 8, index * 8, index * 8] as const),
    }),
    sample(
      'no end code, blocks of one byte',
      picture(12, 12, 16, { withoutEnd: true, blockBytes: 1, frames: 3 }),
    ),
    sample('a comment', picture(12, 12, 2, { comment: 'x'.repeat(700) })),
  ],
});

describe('the GIF decoder', () => {
  it('reads back whatever the writer writes', async () => {
    const recipes = fc
      .record({
        width: fc.integer({ min: 1, max: 40 }),
        height: fc.integer({ min: 1, max: 40 }),
        count: fc.integer({ min: 2, max: 256 }),
        interlaced: fc.boolean(),
        clearEvery: fc.constantFrom(1, 3, 50, 1e9),
        blockBytes: fc.integer({ min: 1, max: 255 }),
        runs: fc.boolean(),
        seed: fc.integer(),
      })
      .map(({ count, runs, seed, ...rest }) => ({
        ...rest,
        palette: colours(count),
        indices: Array.from({ length: rest.width * rest.height }, (_, at) =>
          runs ? (at >> 6) % count : (Math.imul(at + seed, 0x9e3779b1) >>> 16) & 0xffff,
        ).map((value) => value % count),
      }));
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => {
        const { pixels } = await decodeWhole(gifDecoder, { bytes: writeGif(recipe), facts: factsOf(recipe) });
        expect(firstDifference(pixels, expectedPixels(recipe))).toBe('none');
      }),
      { seed: 20261101, numRuns: 200 },
    );
  });

  it('fills the code table to its end and goes on', async () => {
    const noise = Array.from({ length: 300 * 60 }, (_, at) => Math.imul(at, 0x9e3779b1) >>> 24);
    const runs = Array.from({ length: 300 * 300 }, () => 5);
    for (const [indices, height] of [
      [noise, 60],
      [runs, 300],
    ] as const) {
      const recipe = { ...picture(300, height, 256), indices };
      const { pixels } = await decodeWhole(gifDecoder, sample('long', recipe));
      expect(firstDifference(pixels, expectedPixels(recipe))).toBe('none');
    }
  });

  it('states grey and opaque where it can', async () => {
    const grey = { ...picture(4, 4, 2), palette: [[9, 9, 9] as const, [200, 200, 200] as const] };
    using plain = await gifDecoder.open(writeGif(grey), factsOf(grey), {});
    expect([plain.grey, plain.opaque]).toEqual([true, true]);
    const holed = picture(4, 4, 4, { transparentIndex: 0 });
    using clear = await gifDecoder.open(writeGif(holed), factsOf(holed), {});
    expect([clear.grey, clear.opaque]).toEqual([false, false]);
    const small = picture(4, 4, 4, { screenWidth: 5 });
    using uncovered = await gifDecoder.open(writeGif(small), factsOf(small), {});
    expect(uncovered.opaque).toBe(false);
  });

  it('shows an index without a colour as black, and knows black and white without any palette', async () => {
    const short = { ...picture(2, 1, 2), indices: [1, 3], literalBits: 2 };
    expect([...(await decodeWhole(gifDecoder, sample('', short))).pixels.subarray(4)]).toEqual([
      0, 0, 0, 255,
    ]);
    const bare = { ...picture(3, 1, 2), indices: [0, 1, 2], literalBits: 2, paletteAt: 'nowhere' as const };
    const { pixels } = await decodeWhole(gifDecoder, sample('', bare));
    expect([...pixels]).toEqual([0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255]);
  });

  it.each([
    ['an undefined code', (bytes: Uint8Array) => bytes.fill(0xff, 31, 33), /code \d+.*row 0/],
    [
      'an unknown block',
      (bytes: Uint8Array) => bytes.fill(0x77, 19, 20),
      /Expected a GIF block at byte 19 but found 0x77/,
    ],
    ['no frame', (bytes: Uint8Array) => bytes.fill(0x3b, 19, 20), /no frame/],
    ['another signature', (bytes: Uint8Array) => bytes.fill(0x38, 4, 5), /GIF87a or GIF89a/],
    ['impossible codes', (bytes: Uint8Array) => bytes.fill(12, 29, 30), /12 bits/],
  ])('refuses %s', async (_name, spoil, message) => {
    const recipe = picture(8, 8, 2);
    const outcome = await attempt(gifDecoder, { bytes: spoil(writeGif(recipe)), facts: factsOf(recipe) });
    expect(outcome).toBeInstanceOf(Fault);
    expect((outcome as Fault).kind).toBe('decoding');
    expect((outcome as Fault).message).toMatch(message);
  });

  it('refuses an end code that comes before the last pixel', async () => {
    const recipe = { ...picture(8, 8, 4), indices: gradient(8, 7, 4) };
    const outcome = await attempt(gifDecoder, { bytes: writeGif(recipe), facts: factsOf(recipe) });
    expect((outcome as Fault).message).toMatch(/ends at row 7 of 8/);
  });

  it('refuses a frame far larger than its screen, and a size that is not the announced one', async () => {
    const huge = writeGif({ ...picture(1, 1, 2), screenWidth: 10, screenHeight: 10 });
    huge.set([0xff, 0xff, 0xff, 0xff], 24);
    const outcome = await attempt(gifDecoder, { bytes: huge, facts: stillFacts('gif', 10, 10) });
    expect((outcome as Fault).kind).toBe('limit');
    const other = await attempt(gifDecoder, {
      bytes: writeGif(picture(4, 4, 2)),
      facts: stillFacts('gif', 4, 5),
    });
    expect((other as Fault).message).toMatch(/4 × 4 pixels where 4 × 5/);
  });
});

describe('a GIF with a terminator too many', () => {
  const recipe = picture(8, 8, 2);
  const whole = writeGif(recipe);
  const with0At = (at: number) => Uint8Array.from([...whole.subarray(0, at), 0, ...whole.subarray(at)]);

  it.each([
    ['before its first frame', 13 + 6],
    ['behind it', whole.length - 1],
  ])('%s is whole to scanner and decoder', async (_, at) => {
    const bytes = with0At(at);
    const facts = scan(bytes)!;
    expect(facts.complete).toBe(true);
    const { pixels } = await decodeWhole(gifDecoder, { bytes, facts });
    expect(firstDifference(pixels, expectedPixels(recipe))).toBe('none');
  });
});

describe('a GIF that leaves something out', () => {
  const recipe = picture(8, 8, 2);
  const palette = colours(2);
  const real = image({ width: 8, height: 8, literalBits: 2, data: gifLzw(Array.from(recipe.indices), 2) });
  const blank = (width: number, height: number, data: Part = []) =>
    image({ width, height, literalBits: 2, data });
  const transparent = new Uint8Array(8 * 8 * 4);
  const shown = expectedPixels({ ...recipe, palette });
  const file = (blocks: Part, width = 8, height = width) => gifFile({ width, height, palette }, blocks);

  it.each([
    ['the size of its screen', file(real, 0), shown],
    ['the width of its screen', file(real, 0, 8), shown],
    ['the height of its screen', file(real, 8, 0), shown],
    ['zeros before its frame', file([0, 0, 0, 0, real]), shown],
    ['zeros behind a comment', file([comment('x'), 0, 0, real]), shown],
    ['a frame without a size, then one', file([blank(0, 0, [1]), real]), shown],
    ['a frame without a width, then one', file([blank(0, 8), real]), shown],
    ['a frame without data, then one', file([graphicControl(1), blank(8, 8), real]), shown],
    ['many frames without data, then one', file([Array(99).fill(blank(8, 8)), real]), shown],
    ['all data', file(blank(8, 8)), transparent],
    ['all data and sizes', file([blank(0, 0), blank(0, 0)]), transparent],
  ])('is shown without %s', async (_, bytes, expected) => {
    const facts = scan(bytes)!;
    expect(facts).toMatchObject({ complete: true, width: 8, height: 8 });
    const { pixels } = await decodeWhole(gifDecoder, { bytes, facts });
    expect(firstDifference(pixels, expected)).toBe('none');
  });

  it('is one pixel, as pages use to count views', async () => {
    const bytes = gifFile({ width: 1, height: 1 }, blank(1, 1));
    const { pixels } = await decodeWhole(gifDecoder, { bytes, facts: scan(bytes)! });
    expect([...pixels]).toEqual([0, 0, 0, 0]);
  });

  it('is refused without a size of screen and frame', async () => {
    const bytes = file(blank(0, 0), 0);
    expect(scan(bytes)).toMatchObject({ complete: false, width: 0 });
  });
});

describe('a GIF whose last sub-block runs past the end of the file', () => {
  /** Where the first sub-block's length byte stands: header, palette of four colours, descriptor, bits. */
  const DATA_AT = 13 + 12 + 10 + 1;
  /** Terminator and trailer, which such files lack. */
  const END_BYTES = 2;
  const recipe = picture(9, 8, 4);

  it('is shown where its data have come to their end code', async () => {
    const bytes = writeGif(recipe).slice(0, -END_BYTES);
    expect(bytes.length - DATA_AT - 1).toBe(bytes[DATA_AT]);
    bytes[DATA_AT] = 255;
    const facts = scan(bytes)!;
    expect(facts).toMatchObject({ complete: true, blocks: [] });
    const { pixels } = await decodeWhole(gifDecoder, { bytes, facts });
    expect(firstDifference(pixels, expectedPixels(recipe))).toBe('none');
  });

  it.each<[name: string, recipe: GifRecipe, shown: number]>([
    ['in one block', recipe, 1],
    ['in blocks of three bytes', { ...recipe, blockBytes: 3 }, 1],
    ['interlaced', { ...recipe, interlaced: true }, 1],
    ['with many clear codes', { ...recipe, clearEvery: 5 }, 1],
    ['with codes of up to 12 bits', { ...picture(90, 80, 256), blockBytes: 255 }, 1],
    ['with no end code', { ...recipe, withoutEnd: true }, 0],
    ['with an end code too early', { ...recipe, indices: gradient(9, 7, 4) }, 0],
  ])('is refused at every length but that of all data: %s', async (_, cut, expected) => {
    const whole = writeGif(cut);
    const first = Math.max(DATA_AT, whole.length - 400);
    let shown = 0;
    for (let length = first; length <= whole.length - END_BYTES; length++) {
      const bytes = whole.slice(0, length);
      const facts = scan(bytes)!;
      const outcome = await attempt(gifDecoder, { bytes, facts });
      if (facts.complete && !(outcome instanceof Error)) {
        expect(firstDifference(outcome, expectedPixels(cut)), `cut to ${length}`).toBe('none');
        shown++;
      } else if (facts.complete) expect(outcome).toBeInstanceOf(Fault);
      else expect(facts.defect).toBe('it ends before the data of its first frame do');
    }
    expect(shown).toBe(expected);
  });
});
