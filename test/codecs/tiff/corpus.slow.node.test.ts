import sharp from 'sharp';
import { expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { corpusCases } from '../../cases/corpus_cases.ts';
import { type CorpusFile, corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';
import { pageOf } from '../../fixtures/tiff_page.ts';

/** How far a byte may be from what libvips reads, and why; 0 for all others. */
const bounds: Readonly<Record<string, readonly [bound: number, why: string]>> = {
  'image__hpredict.tiff': [
    1,
    'libvips cuts off after undoing the multiplication by alpha, here it is rounded',
  ],
  'image-tiff__seq-4c-16b-rgba-5181991f.tiff': [2, 'libvips undoes it in 16 bits, here in 8'],
  'image__cmyk_u8_edge_case.tif': [8, 'libvips converts CMYK by a profile, here by the plain formula'],
  'image-tiff__seq-4c-16b-cmyk-c6e52592.tiff': [8, 'as above'],
  'Pillow__tiff_strip_cmyk_jpeg.tif': [24, 'as above'],
  'Pillow__tiff_tiled_cmyk_jpeg.tif': [24, 'as above'],
  'image-tiff__flower-separated-contig-16.tif': [24, 'as above'],
  'image-tiff__flower-separated-planar-16.tif': [24, 'as above'],
};

/** Files that libvips reads otherwise than the standard says; only that they are read is checked here. */
const misread: Readonly<Record<string, string>> = {
  'image-tiff__extra_bits_gray_8b.tiff': 'an extra sample of no given meaning is taken for alpha',
  'image-tiff__minisblack-2c-8b-alpha.tiff': 'the planes of grey and alpha are mixed up',
  'image__ycbcr_lzw_broken.tif': 'YCbCr that is not subsampled is taken for RGB',
  'image__ycbcr_lzw_bt709.tif': 'as above',
};

const files = corpusFiles('tiff');
const nameOf = ({ file }: CorpusFile) => file.slice(file.lastIndexOf('/') + 1);

/** Bytes of alpha 0 have no colour: both sides are cleared there. */
function worstDifference(got: Uint8Array, expected: Uint8Array): number {
  if (got.length !== expected.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let at = 0; at < got.length; at++) {
    const clear = at % 4 < 3 && got[at | 3] === 0 && expected[at | 3] === 0;
    if (!clear) most = Math.max(most, Math.abs(got[at]! - expected[at]!));
  }
  return most;
}

async function readByLibvips(bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes, { failOn: 'none' }).toColourspace('srgb').ensureAlpha().raw().toBuffer();
}

corpusCases({
  decoder: tiffDecoder,
  oracle: async (bytes, file) =>
    file.expect.strict && misread[nameOf(file)] === undefined ? readByLibvips(bytes) : undefined,
  difference(pixels, expected, file) {
    const [bound] = bounds[nameOf(file)] ?? [0];
    const worst = worstDifference(pixels, expected);
    return worst <= bound ? 'none' : `differs by ${worst}`;
  },
  compared: 110,
});

it.skipIf(files.length === 0)('the header scan tells the size of every TIFF page that is read', () => {
  for (const file of files) {
    const bytes = corpusBytes(file);
    let page: { width: number; height: number };
    try {
      page = pageOf(bytes);
    } catch {
      continue;
    }
    const { width, height } = scan(bytes)!;
    expect([width, height], file.file).toEqual([page.width, page.height]);
  }
});
