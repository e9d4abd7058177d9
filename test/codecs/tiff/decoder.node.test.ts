import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole, firstDifference } from '../../cases/decoder_cases.ts';
import { expectedPixels } from '../../fixtures/tiff_expected.ts';
import { writeTiff } from '../../fixtures/tiff_writer.ts';

/** What libvips reads, as 8-bit sRGB with alpha. */
const oracle = async (bytes: Uint8Array) =>
  new Uint8Array(await sharp(bytes, { failOn: 'none' }).toColourspace('srgb').ensureAlpha().raw().toBuffer());

async function decode(bytes: Uint8Array): Promise<Uint8Array> {
  return (await decodeWhole(tiffDecoder, { bytes, facts: scan(bytes)! })).pixels;
}

/** A picture with flat parts, gradients and noise. */
function picture(width: number, height: number, channels: 1 | 3 | 4) {
  const raw = Buffer.alloc(width * height * channels);
  for (let at = 0; at < raw.length; at++) {
    const pixel = Math.floor(at / channels);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    raw[at] = x < width / 3 ? 200 : (x * 3 + y * 2 + (at % channels) * 40 + ((x * y) % 7)) & 255;
  }
  return sharp(raw, { raw: { width, height, channels } });
}

const sizes = [
  [1, 1],
  [7, 5],
  [33, 70],
  [257, 129],
] as const;

describe('the TIFF decoder beside sharp', () => {
  it.each(['none', 'lzw', 'deflate', 'packbits'] as const)(
    'reads what sharp writes with %s',
    async (compression) => {
      for (const [width, height] of sizes) {
        for (const channels of [1, 3, 4] as const) {
          for (const options of [
            {},
            { tile: true, tileWidth: 16, tileHeight: 32 },
            { predictor: 'horizontal' as const, bigtiff: true },
            { pyramid: true, tile: true, tileWidth: 64, tileHeight: 64 },
          ]) {
            const image = picture(width, height, channels);
            const bytes = new Uint8Array(await image.tiff({ compression, ...options }).toBuffer());
            const difference = firstDifference(await decode(bytes), await oracle(bytes));
            expect(difference, `${width} × ${height} × ${channels} ${JSON.stringify(options)}`).toBe('none');
          }
        }
      }
    },
  );

  it('reads what sharp writes with 1, 2 and 4 bits, black or white first', async () => {
    for (const [width, height] of sizes) {
      for (const bitdepth of [1, 2, 4] as const) {
        for (const miniswhite of [false, true]) {
          for (const compression of bitdepth === 1
            ? (['none', 'ccittfax4', 'lzw'] as const)
            : (['deflate'] as const)) {
            const image = picture(width, height, 1).toColourspace('b-w');
            const bytes = new Uint8Array(
              await image.tiff({ compression, bitdepth, miniswhite, predictor: 'none' }).toBuffer(),
            );
            const difference = firstDifference(await decode(bytes), await oracle(bytes));
            expect(difference, `${width} × ${height}, ${bitdepth} bits, ${compression}`).toBe('none');
          }
        }
      }
    }
  });

  it('reads 16 bits as sharp does', async () => {
    for (const compression of ['none', 'lzw', 'deflate'] as const) {
      const image = picture(61, 40, 3).toColourspace('rgb16');
      const bytes = new Uint8Array(await image.tiff({ compression, predictor: 'horizontal' }).toBuffer());
      expect(scan(bytes)!.bitDepth).toBe(16);
      expect(firstDifference(await decode(bytes), await oracle(bytes))).toBe('none');
    }
  });
});

describe('the TIFF writer of these tests', () => {
  const value = (x: number, y: number, sample: number) => (x * 7 + y * 3 + sample * 50) & 255;
  it.each([
    ['little-endian strips', {}],
    ['big-endian', { bigEndian: true }],
    ['BigTIFF', { big: true }],
    ['tiles', { tile: [16, 16] as const }],
    ['planes', { planar: true }],
    ['LZW with differences', { compression: 5, predictor: 2 as const }],
    ['LZW of before TIFF 5.0', { compression: 5, oldLzw: true }],
    ['PackBits', { compression: 32773 }],
    ['deflate', { compression: 8 }],
    [
      'fax, Group 4',
      {
        compression: 4,
        bits: 1,
        samples: 1,
        photometric: 0,
        value: (x: number, y: number) => (x >> (y % 4)) & 1,
      },
    ],
    [
      'fax, Group 3',
      {
        compression: 3,
        bits: 1,
        samples: 1,
        photometric: 0,
        value: (x: number, y: number) => (x >> (y % 4)) & 1,
      },
    ],
    [
      'modified Huffman',
      {
        compression: 2,
        bits: 1,
        samples: 1,
        photometric: 0,
        value: (x: number, y: number) => (x >> (y % 4)) & 1,
      },
    ],
  ])('makes files that sharp reads: %s', async (_name, other) => {
    const recipe = { width: 45, height: 23, samples: 3, photometric: 2, value, ...other };
    expect(firstDifference(await oracle(writeTiff(recipe)), expectedPixels(recipe))).toBe('none');
  });
});
