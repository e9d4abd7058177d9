import sharp, { type TiffOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { Fault } from '../../../src/faults.ts';
import {
  attempt,
  decoderCases,
  decodeWhole,
  firstDifference,
  stillFacts,
} from '../../cases/decoder_cases.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import { pageOf } from '../../fixtures/tiff_page.ts';
import { type TiffField, type TiffRecipe, writeTiff } from '../../fixtures/tiff_writer.ts';

const oracle = async (bytes: Uint8Array) =>
  new Uint8Array(await sharp(bytes).toColourspace('srgb').ensureAlpha().raw().toBuffer());

function factsOf(bytes: Uint8Array) {
  const { width, height, samples } = pageOf(bytes);
  return stillFacts('tiff', width, height, { channels: samples });
}
const decode = async (bytes: Uint8Array) =>
  (await decodeWhole(tiffDecoder, { bytes, facts: factsOf(bytes) })).pixels;

function picture(width: number, height: number, channels: 1 | 3) {
  const raw = Buffer.from(
    Array.from({ length: width * height * channels }, (_, at) => {
      const [x, y] = [Math.floor(at / channels) % width, Math.floor(at / channels / width)];
      return (x * 3 + y * 2 + (at % channels) * 60 + ((x >> 3) & 1) * 50) & 255;
    }),
  );
  return sharp(raw, { raw: { width, height, channels } });
}

async function tiffOf(width: number, height: number, channels: 1 | 3, options: TiffOptions) {
  const image = picture(width, height, channels);
  const bytes = channels === 1 ? image.toColourspace('b-w') : image;
  return new Uint8Array(await bytes.tiff({ compression: 'jpeg', predictor: 'none', ...options }).toBuffer());
}

/** JPEG data of one sample a pixel. */
const greyJpeg = async (width: number, height: number, from: (x: number, y: number) => number) => {
  const raw = Buffer.from(
    Array.from({ length: width * height }, (_, at) => from(at % width, Math.floor(at / width))),
  );
  const image = sharp(raw, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
  return new Uint8Array(await image.jpeg({ quality: 100 }).toBuffer());
};
const short = (...values: number[]): TiffField => ({ type: 'short', values });
const base: TiffRecipe = { width: 20, height: 12, compression: 7, value: () => 0 };

describe('JPEG data in a TIFF', () => {
  it('is read as sharp reads it: strips and tiles, grey and colour, whole and halved colour', async () => {
    for (const [width, height] of [
      [1, 1],
      [9, 23],
      [65, 33],
      [150, 131],
    ] as const) {
      for (const channels of [1, 3] as const) {
        for (const options of [
          { quality: 95 },
          { quality: 60 },
          { quality: 60, tile: true, tileWidth: 32, tileHeight: 48, bigtiff: true },
        ]) {
          const bytes = await tiffOf(width, height, channels, options);
          const difference = firstDifference(await decode(bytes), await oracle(bytes));
          expect(difference, `${width} × ${height} × ${channels} ${JSON.stringify(options)}`).toBe('none');
        }
      }
    }
  });

  it('may be in planes, black or white first, or L*a*b*', async () => {
    const planes = await Promise.all(
      [3, 5, 7].map((factor) => greyJpeg(20, 12, (x, y) => (x * factor + y) & 255)),
    );
    const samples = await Promise.all(
      planes.map(async (plane) => new Uint8Array(await sharp(plane).toColourspace('b-w').raw().toBuffer())),
    );
    const planar = await decode(
      writeTiff({ ...base, samples: 3, photometric: 2, planar: true, stored: planes }),
    );
    const negative = await decode(writeTiff({ ...base, photometric: 0, stored: [planes[0]!] }));
    for (let at = 0; at < 240; at++) {
      const colour = samples.map((plane) => plane[at]!);
      expect([...planar.subarray(at * 4, at * 4 + 4)]).toEqual([...colour, 255]);
      expect(negative[at * 4]).toBe(255 - colour[0]!);
    }
    const lab = await decode(
      writeTiff({ ...base, samples: 3, photometric: 8, planar: true, stored: planes }),
    );
    expect(new Set(lab.filter((_, at) => at % 4 === 3))).toEqual(new Set([255]));
  });

  it.each<[string, Partial<TiffRecipe>, Fault['kind'], RegExp]>([
    ['has too few samples', { samples: 3, photometric: 2 }, 'decoding', /3 samples for each pixel.* in it 1/],
    ['has alpha beside colour', { samples: 2, tags: { 338: short(2) } }, 'unsupported', /2 samples/],
    ['is too narrow', { width: 30 }, 'decoding', /20 pixels wide where 30 are needed/],
    ['is too wide', { width: 3 }, 'decoding', /40 pixels wide in strips or tiles of 3/],
    ['is not high enough', { height: 14 }, 'decoding', /row 12 of 14/],
    ['is none', { stored: [new Uint8Array(60)] }, 'decoding', /row 0 of 12/],
    [
      'has tables that are none',
      { tags: { 347: { type: 'byte', values: [1, 2, 3, 4, 5] } } },
      'decoding',
      /start marker/,
    ],
    ['has samples of 16 bits', { bits: 16 }, 'unsupported', /16 bits/],
  ])('is refused when it %s', async (_name, other, kind, message) => {
    const stored = [await greyJpeg(other.width === 3 ? 40 : 20, 12, (x, y) => (x * y) & 255)];
    const recipe = { ...base, stored, ...other };
    const facts = stillFacts('tiff', recipe.width, recipe.height, { channels: recipe.samples ?? 1 });
    const outcome = await attempt(tiffDecoder, { bytes: writeTiff(recipe), facts });
    expect(outcome).toBeInstanceOf(Fault);
    expect([(outcome as Fault).kind, (outcome as Fault).message]).toEqual([
      kind,
      expect.stringMatching(message),
    ]);
  });
});

const seeds = await Promise.all(
  (
    [
      ['colour in strips', 20, 30, 3, { quality: 50 }],
      ['colour in tiles', 35, 20, 3, { quality: 50, tile: true, tileWidth: 16, tileHeight: 16 }],
      ['grey', 17, 40, 1, { quality: 95 }],
    ] as const
  ).map(async ([name, width, height, channels, options]) => {
    const bytes = await tiffOf(width, height, channels, options);
    return { name, bytes, facts: factsOf(bytes) };
  }),
);

decoderCases({ decoder: tiffDecoder, samples: seeds, namesRow: false, cuts: 40 });

fuzzDecoder({
  decoder: tiffDecoder,
  count: 3000,
  seed: 7,
  seeds,
  factsOf(bytes) {
    try {
      return factsOf(bytes);
    } catch {
      return stillFacts('tiff', 20, 30);
    }
  },
});
