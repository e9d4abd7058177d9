import { describe, expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { Fault } from '../../../src/faults.ts';
import type { FileFacts } from '../../../src/metadata/facts.ts';
import { MAX_ROW_PIXELS } from '../../../src/scheduling/work.ts';
import { attempt, decodeWhole, firstDifference, stillFacts } from '../../cases/decoder_cases.ts';
import { expectedPixels } from '../../fixtures/tiff_expected.ts';
import { pageOf } from '../../fixtures/tiff_page.ts';
import { long as long32, short as short16, writeTiffStructure } from '../../fixtures/tiff_structure.ts';
import { type TiffField, type TiffRecipe, writeTiff } from '../../fixtures/tiff_writer.ts';

const base: TiffRecipe = { width: 12, height: 10, value: (x, y) => (x * 9 + y * 7) & 255 };
const short = (...values: number[]): TiffField => ({ type: 'short', values });
const long = (...values: number[]): TiffField => ({ type: 'long', values });

async function outcomeOf(
  recipe: Partial<TiffRecipe>,
  facts: Partial<FileFacts> = {},
  spoil = (bytes: Uint8Array) => bytes,
) {
  const whole = { ...base, ...recipe };
  const { width, height, samples: channels = 1, bits: bitDepth = 8 } = whole;
  return attempt(tiffDecoder, {
    bytes: spoil(writeTiff(whole)),
    facts: stillFacts('tiff', width, height, { channels, bitDepth, ...facts }),
  });
}

const rgb = { samples: 3, photometric: 2 };

it('the TIFF decoder refuses rows that are so long that one of them would hold the thread', async () => {
  for (const width of [MAX_ROW_PIXELS, MAX_ROW_PIXELS + 1]) {
    const outcome = await outcomeOf({ width, height: 1 });
    const tooLong = `Expected rows of at most ${MAX_ROW_PIXELS} pixels but the TIFF's have ${width}`;
    expect((outcome as Fault).message).toBe(width > MAX_ROW_PIXELS ? tooLong : undefined);
  }
});

describe('the TIFF decoder refuses', () => {
  it.each<[string, Partial<TiffRecipe>, Fault['kind'], RegExp]>([
    ['a strip outside the file', { tags: { 273: long(9999) } }, 'decoding', /strip 0.*row 0.*9999/],
    [
      'a later strip outside the file',
      { rowsPerStrip: 4, tags: { 273: long(8, 8, 1e6) } },
      'decoding',
      /strip 2.*row 8/,
    ],
    ['an empty strip at no place', { tags: { 273: long(0), 279: long(0) } }, 'decoding', /strip 0/],
    ['an empty strip at the end', { tags: { 273: long(1 << 20), 279: long(0) } }, 'decoding', /strip 0/],
    ['too few strips', { tags: { 278: long(2) } }, 'decoding', /needs 5 strips.* lists 1/],
    ['a strip that is too short', { tags: { 279: long(30) } }, 'decoding', /end at row 2 of 10/],
    ['no strips at all', { tags: { 273: undefined } }, 'decoding', /no strips and no tiles/],
    ['strips without rows', { tags: { 278: long(0) } }, 'decoding', /strips of 12 × 0/],
    ['tiles without width', { tile: [16, 16], tags: { 322: undefined } }, 'decoding', /tiles of 0 × 16/],
    ['tiles without height', { tile: [16, 16], tags: { 323: short(0) } }, 'decoding', /tiles of 16 × 0/],
    [
      'tiles far wider than the page',
      { tile: [16, 16], tags: { 322: long(2 ** 31) } },
      'limit',
      /too much of them/,
    ],
    ['samples without bits', { tags: { 258: short(0) } }, 'decoding', /samples of 0 bits/],
    ['samples of too many bits', { tags: { 258: short(65) } }, 'decoding', /samples of 65 bits/],
    ['samples of different bits', { ...rgb, tags: { 258: short(8, 8, 16) } }, 'unsupported', /8, 8, 16 bits/],
    ['too many samples', { tags: { 277: short(300) } }, 'limit', /300 samples/],
    ['no samples', { tags: { 277: short(0) } }, 'decoding', /0 samples/],
    ['too few samples for its colour', { tags: { 262: short(5) } }, 'decoding', /takes 4 samples.* has 1/],
    ['unknown colour', { tags: { 262: short(32803) } }, 'unsupported', /colour filter array/],
    ['unknown compression', { tags: { 259: short(34925) } }, 'unsupported', /LZMA/],
    ['compression nobody knows', { tags: { 259: short(4711) } }, 'unsupported', /code 4711/],
    ['unknown predictors', { compression: 5, tags: { 317: short(9) } }, 'unsupported', /predictor 9/],
    [
      'differences of odd depths',
      { compression: 5, bits: 12, tags: { 317: short(2) } },
      'unsupported',
      /12-bit/,
    ],
    [
      'the predictor of real numbers on integers',
      { compression: 5, tags: { 317: short(3) } },
      'decoding',
      /real numbers/,
    ],
    ['complex numbers', { tags: { 339: short(6) } }, 'unsupported', /format 6/],
    ['real numbers of 8 bits', { tags: { 339: short(3) } }, 'unsupported', /8 bits/],
    ['fax compression of 8 bits', { tags: { 259: short(4) } }, 'decoding', /fax/],
    ['a palette without colours', { tags: { 262: short(3) } }, 'decoding', /768 values but has 0/],
    ['a palette of 16 bits', { bits: 16, tags: { 262: short(3) } }, 'unsupported', /16-bit/],
    [
      'cmyk that are not CMYK',
      { samples: 4, photometric: 5, tags: { 332: short(2) } },
      'unsupported',
      /cmyk/,
    ],
    ['subsampling by 3', { ...rgb, photometric: 6, tags: { 530: short(3, 1) } }, 'decoding', /3 × 1/],
    [
      'subsampled planes',
      { ...rgb, photometric: 6, planar: true, tags: { 530: short(2, 2) } },
      'unsupported',
      /planes/,
    ],
    [
      'YCbCr of 16 bits',
      { ...rgb, photometric: 6, bits: 16, tags: { 530: short(1, 1) } },
      'unsupported',
      /16 bits/,
    ],
    ['a page without height', { tags: { 257: long(0) } }, 'decoding', /12 × 0/],
  ])('%s', async (_name, recipe, kind, message) => {
    const outcome = await outcomeOf(recipe);
    expect(outcome).toBeInstanceOf(Fault);
    expect([(outcome as Fault).kind, (outcome as Fault).message]).toEqual([
      kind,
      expect.stringMatching(message),
    ]);
  });

  /** The same bits over and over, in bytes. */
  const repeated = (bits: string, times: number) =>
    bits
      .repeat(times * 8)
      .match(/.{8}/g)!
      .slice(0, (bits.length * times) >> 3)
      .map((byte) => Number.parseInt(byte, 2));
  const NONE_BY_TURNS = '001101010000110111';

  it.each<[string, number, number[], RegExp]>([
    [
      'PackBits of bytes that stand for nothing',
      32773,
      repeated('10000000', 70_000),
      /65537 bytes on end.*row 0/,
    ],
    ['fax of nothing but fill', 3, repeated('00000000', 70_000), /bits of fill on end.*row 0/],
    ['fax of runs of none', 2, repeated(NONE_BY_TURNS, 2000), /row of \d+ codes where 12 pixels/],
    [
      'fax of pairs of such runs',
      4,
      repeated(`001${NONE_BY_TURNS}`, 2000),
      /row of \d+ codes where 12 pixels/,
    ],
  ])('megabytes of %s, which keep others waiting', async (_name, compression, data, message) => {
    const file = Uint8Array.from(data);
    const bits = compression === 32773 ? 8 : 1;
    const directory = writeTiffStructure(
      [
        [
          long32(256, 12),
          long32(257, 10),
          short16(258, bits),
          short16(259, compression),
          short16(262, 1),
          long32(273, 8),
          short16(277, 1),
          long32(278, 10),
          long32(279, file.length),
        ],
      ],
      { head: file },
    );
    const facts = stillFacts('tiff', 12, 10, { channels: 1, bitDepth: bits });
    const outcome = await attempt(tiffDecoder, { bytes: directory, facts });
    expect((outcome as Fault).message).toMatch(message);
  });

  it.each<[string, Partial<TiffRecipe>, number]>([
    ['LZW', { compression: 5 }, 24],
    ['deflate', { compression: 8 }, 24],
    ['PackBits', { compression: 32773 }, 24],
    // What seems to follow is nothing but fill.
    ['fax', { compression: 3, bits: 1, value: () => 1 }, 14],
  ])('%s data that ends early, naming the row', async (_name, recipe, length) => {
    const outcome = await outcomeOf({ ...recipe, tags: { 279: long(length) } });
    expect((outcome as Fault).kind).toBe('decoding');
    expect((outcome as Fault).message).toMatch(/ends? (?:early, )?at row \d of 10/);
  });

  it.each<[string, number, number]>([
    ['an LZW code that was given no string', 5, 1],
    ['corrupt deflate data', 8, 4],
    ['a fax code that stands for nothing', 3, 3],
  ])('%s', async (_name, compression, place) => {
    const recipe = compression === 3 ? { bits: 1, photometric: 0, compression } : { compression };
    const outcome = await outcomeOf({ ...recipe, value: (x, y) => (x ^ y) & 1 }, {}, (bytes) =>
      bytes.fill(compression === 3 ? 0x01 : 0xff, 8 + place, 8 + place + 3),
    );
    expect((outcome as Fault).kind).toBe('decoding');
    expect((outcome as Fault).message).toMatch(/row \d/);
  });

  it('a file that is none, has no directory, or another size than announced', async () => {
    const zero = new Uint8Array(20);
    const messages = await Promise.all([
      outcomeOf({}, {}, () => zero),
      outcomeOf({}, {}, (bytes) => bytes.fill(99, 2, 3)),
      outcomeOf({}, {}, (bytes) => bytes.fill(0xff, 4, 8)),
      outcomeOf({ big: true }, {}, (bytes) => bytes.fill(4, 4, 5)),
      outcomeOf({}, { width: 13 }),
    ]);
    expect(messages.map((outcome) => (outcome as Fault).message)).toEqual([
      expect.stringMatching(/II or MM/),
      expect.stringMatching(/version 42 or 43; this one says 99/),
      expect.stringMatching(/first directory/),
      expect.stringMatching(/8-byte offsets/),
      expect.stringMatching(/12 × 10 pixels where 13 × 10/),
    ]);
  });

  it('to read one stretch of the file over and over', async () => {
    const strips = 40;
    const pixels = 40_000;
    const outcome = await outcomeOf(
      {
        width: 10,
        height: strips,
        tags: { 278: long(1), 273: long(...Array(strips).fill(8)), 279: long(...Array(strips).fill(pixels)) },
        compression: 32773,
        value: (x, y) => (x * y * 77) & 255,
      },
      {},
      (bytes) => Uint8Array.from([...bytes, ...new Uint8Array(pixels)]),
    );
    expect((outcome as Fault).kind).toBe('limit');
    expect((outcome as Fault).message).toMatch(/add up to 1600000 bytes/);
  });

  it('a cut that would take more memory than declared', async () => {
    const columns = 3000;
    const cut = {
      tile: [16, 65520],
      stored: Array(Math.ceil(columns / 16)).fill(new Uint8Array(9)),
    } as const;
    const outcome = await outcomeOf({ width: columns, height: 4000, compression: 8, ...cut });
    expect((outcome as Fault).kind).toBe('limit');
    expect((outcome as Fault).message).toMatch(/tiles of 16 × 65520 pixels would take \d+ bytes/);
  });
});

describe('the TIFF decoder makes do', () => {
  const read = async (recipe: TiffRecipe) => {
    const facts = stillFacts('tiff', recipe.width, recipe.height, { channels: recipe.samples ?? 1 });
    return (await decodeWhole(tiffDecoder, { bytes: writeTiff(recipe), facts })).pixels;
  };

  it.each<[string, Partial<TiffRecipe>]>([
    ['without byte counts', { tags: { 279: undefined }, rowsPerStrip: 3 }],
    [
      'without byte counts of compressed strips',
      { tags: { 279: undefined }, compression: 5, rowsPerStrip: 3 },
    ],
    ['without rows per strip', { tags: { 278: undefined } }],
    ['with 2³² − 1 rows per strip', { tags: { 278: long(0xffffffff) } }],
    ['with byte counts past the end of uncompressed data', { tags: { 279: long(1e9) } }],
    ['without a number of samples', { ...rgb, tags: { 277: undefined } }],
    ['with one bit depth for all samples', { ...rgb, tags: { 258: short(8) } }],
    ['without a photometric interpretation', { ...rgb, tags: { 262: undefined } }],
    ['with a predictor that means nothing', { tags: { 317: short(2) } }],
    ['without a planar configuration', { ...rgb, tags: { 284: undefined } }],
  ])('%s', async (_name, other) => {
    const recipe = { ...base, ...other };
    expect(firstDifference(await read(recipe), expectedPixels(recipe))).toBe('none');
  });

  it('with planes that are not shown and lie outside the file', async () => {
    const recipe = { ...base, samples: 2, planar: true, tags: { 338: short(0), 273: long(8, 1e6) } };
    expect(firstDifference(await read(recipe), expectedPixels({ ...recipe, tags: {} }))).toBe('none');
  });

  it('with palettes of 8-bit values, as libtiff does', async () => {
    const map = { 320: short(...Array.from({ length: 12 }, (_, at) => at * 20)) };
    const recipe: TiffRecipe = { width: 4, height: 1, bits: 2, photometric: 3, value: (x) => x, tags: map };
    expect([...(await read(recipe)).subarray(0, 8)]).toEqual([0, 80, 160, 255, 20, 100, 180, 255]);
  });

  it('with fax runs of no pixels between others', async () => {
    // White and black runs of none, three times, then 8 white pixels (T.4 table 2).
    const text = `${'001101010000110111'.repeat(3)}10011`.padEnd(64, '0');
    const bytes = Uint8Array.from(text.match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2));
    const recipe = {
      width: 8,
      height: 1,
      bits: 1,
      photometric: 0,
      compression: 2,
      value: () => 0,
      stored: [bytes],
    };
    expect([...(await read(recipe))]).toEqual(Array(32).fill(255));
  });

  it('with strips of no length up to the next one: all but the last were read to the end of the file', () => {
    const stored = [0, 1, 2].map(() => Uint8Array.of(3, 1, 2, 3));
    const cut = { rowsPerStrip: 4, compression: 32773, tags: { 279: undefined }, stored };
    const { chunks } = pageOf(writeTiff({ ...base, ...cut }));
    expect([0, 1].map((row) => chunks.bytesOf(0, row, 0).length)).toEqual([4, 4]);
  });
});
