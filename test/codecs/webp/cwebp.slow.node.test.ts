import { describe, expect, it } from 'vitest';
import { webpDecoder } from '../../../src/codecs/webp/decoder.ts';
import { webpEncoder } from '../../../src/codecs/webp/encoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole, firstDifference } from '../../cases/decoder_cases.ts';
import { decodeByDwebp, encodeByCwebp, haveLibwebpTools } from '../../fixtures/libwebp_tools.ts';
import { noisePicture, type Picture, photoPicture, rasterOf } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import { softEdges, webpPictures } from '../../fixtures/webp_pictures.ts';

/** How our picture of what cwebp makes differs from dwebp's. */
async function difference(picture: Picture, switches: readonly string[]): Promise<string> {
  const bytes = encodeByCwebp(picture, switches);
  const { pixels } = await decodeWhole(webpDecoder, { bytes, facts: scan(bytes)! });
  return firstDifference(pixels, decodeByDwebp(bytes)!.pixels);
}

const PICTURES: readonly Picture[] = [
  photoPicture(93, 71, 7),
  noisePicture(50, 67, 7),
  softEdges(81, 60, 4),
  noisePicture(45, 33, 8, 'any'),
];

const LOSSY = [
  ...[1, 2, 3, 4].map((n) => `-segments ${n} -sns 100`),
  ...[0, 50, 100].map((n) => `-partition_limit ${n} -m 4`),
  ...[0, 1, 20, 60, 100].map((n) => `-f ${n} -q 30`),
  '-f 60 -nostrong -q 15',
  '-q 100 -m 6',
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => `-f 80 -sharpness ${n} -q 20`),
  ...[0, 30, 100].flatMap((n) => [`-f ${n} -strong -q 15`, `-f ${n} -nostrong -q 15`]),
  ...[0, 50, 100].map((n) => `-sns ${n} -q 40`),
  ...[0, 1, 2, 3, 4, 5, 6].map((n) => `-m ${n} -q 70`),
  ...[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((n) => `-q ${n}`),
  ...['default', 'photo', 'picture', 'drawing', 'icon', 'text'].map((name) => `-preset ${name} -q 50`),
  ...['-low_memory', '-jpeg_like', '-sharp_yuv', '-af', '-pass 4 -size 1500', '-exact', '-noalpha'],
  ...['0', '1'].flatMap((method) =>
    ['none', 'fast', 'best'].flatMap((filter) =>
      ['100', '60', '0'].map((q) => `-alpha_method ${method} -alpha_filter ${filter} -alpha_q ${q}`),
    ),
  ),
];

const LOSSLESS = [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((z) => `-lossless -exact -z ${z}`),
  ...[0, 1, 4, 5, 6].map((m) => `-lossless -exact -m ${m} -q 90`),
  '-lossless -m 2 -q 100',
  ...[0, 20, 40, 60, 80].map((n) => `-lossless -near_lossless ${n}`),
  '-lossless -exact -near_lossless 0 -m 6',
];

/** Of these, cwebp tries every way there is at its highest level: a quarter of their pixels takes seconds. */
const SMALLER: Readonly<Record<string, Picture>> = {
  photograph: photoPicture(87, 66, 6),
  'soft edges': softEdges(75, 60, 7),
};

describe.skipIf(!haveLibwebpTools)('WebP decoder on what cwebp writes', () => {
  it.each(LOSSY)('has the pixels of dwebp: %s', async (switches) => {
    for (const picture of PICTURES) expect(await difference(picture, switches.split(' '))).toBe('none');
  });

  it.each(LOSSLESS)('has the pixels of dwebp: %s', async (switches) => {
    for (const [name, whole] of webpPictures) {
      const picture = switches.endsWith('-z 9') ? (SMALLER[name] ?? whole) : whole;
      expect(await difference(picture, switches.split(' ')), name).toBe('none');
    }
  });

  it('has them at all sizes of 1 to 33', async () => {
    const ways = ['-q 60', '-q 95 -m 2', '-lossless -exact -m 1', '-q 30 -alpha_q 40', '-lossless -z 2'];
    for (let width = 1; width <= 33; width++) {
      for (let height = 1 + (width % 2); height <= 33; height += 2) {
        const opaque = (width + height) % 4 < 2;
        const picture = opaque ? photoPicture(width, height, height) : softEdges(width, height, width);
        const switches = ways[(width * 7 + height) % ways.length]!;
        expect(await difference(picture, switches.split(' ')), `${width} × ${height} ${switches}`).toBe(
          'none',
        );
      }
    }
  });
});

it.skipIf(!haveLibwebpTools)('dwebp reads what the WebP encoder writes as sharp does', async () => {
  const pictures = [photoPicture(131, 67, 1), noisePicture(33, 16, 2, 'any'), softEdges(2, 31, 3)];
  for (const picture of [...PICTURES, ...pictures]) {
    for (const quality of [30, 50, 75, 92, 100]) {
      using output = await webpEncoder.encode(rasterOf(picture), quality, 1 << 28);
      const file = output.bytes.slice();
      expect(firstDifference(decodeByDwebp(file)!.pixels, (await readBySharp(file)).pixels)).toBe('none');
    }
  }
});
