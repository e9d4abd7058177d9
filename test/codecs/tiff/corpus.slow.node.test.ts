import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { Fault } from '../../../src/faults.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { attempt, decodeWhole, stillFacts } from '../../cases/decoder_cases.ts';
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
const named = (list: readonly CorpusFile[]) => list.map((file) => [file.file, file] as const);
const strictly = (status: number) =>
  named(files.filter(({ expect: wanted }) => wanted.strict && wanted.status[0] === status));

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

describe.skipIf(files.length === 0)('the TIFF decoder on real files', () => {
  it.each(strictly(200))('reads %s as sharp does', async (_name, file) => {
    const bytes = corpusBytes(file);
    const facts = scan(bytes)!;
    const { pixels } = await decodeWhole(tiffDecoder, { bytes, facts });
    if (misread[nameOf(file)] !== undefined) return;
    const { data } = await sharp(bytes, { failOn: 'none' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [bound] = bounds[nameOf(file)] ?? [0];
    expect(worstDifference(pixels, data)).toBeLessThanOrEqual(bound);
  });

  it.each(strictly(422))('refuses %s', async (_name, file) => {
    const bytes = corpusBytes(file);
    const facts = scan(bytes) ?? stillFacts('tiff', 1, 1);
    expect(await attempt(tiffDecoder, { bytes, facts })).toBeInstanceOf(Fault);
  });

  it.each(named(files.filter(({ expect: wanted }) => !wanted.strict)))(
    'reads %s or refuses it with a Fault',
    async (_name, file) => {
      const bytes = corpusBytes(file);
      const facts = scan(bytes) ?? stillFacts('tiff', 1, 1);
      // What has too many pixels is the caller's to refuse.
      if (facts.width * facts.height > 50_000_000) return;
      const outcome = await attempt(tiffDecoder, { bytes, facts });
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Fault);
    },
  );

  it('is told the size of every page it can read by the header scan', () => {
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
});
