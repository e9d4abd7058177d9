import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { stillFacts } from '../../cases/decoder_cases.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import { pageOf } from '../../fixtures/tiff_page.ts';
import { type TiffRecipe, writeTiff } from '../../fixtures/tiff_writer.ts';

const recipe = (other: Partial<TiffRecipe> = {}): TiffRecipe => ({
  width: 9,
  height: 8,
  value: (x, y, sample) => (x * 3 + y * 5 + sample) % 2 ** Math.min(8, other.bits ?? 8),
  ...other,
});
const rgb = (other: Partial<TiffRecipe>) => recipe({ samples: 3, photometric: 2, ...other });
const bilevel = (other: Partial<TiffRecipe>) => recipe({ bits: 1, photometric: 0, ...other });
const colours = { 320: { type: 'short', values: Array.from({ length: 48 }, (_, at) => at * 1000) } } as const;

const seeds: Record<string, TiffRecipe> = {
  plain: rgb({ rowsPerStrip: 3 }),
  'BigTIFF, big-endian': rgb({ big: true, bigEndian: true }),
  LZW: rgb({ compression: 5, predictor: 2 }),
  'old LZW': recipe({ compression: 5, oldLzw: true }),
  deflate: recipe({ compression: 8, tile: [16, 16], bits: 16, predictor: 2 }),
  PackBits: recipe({
    compression: 32773,
    planar: true,
    samples: 2,
    tags: { 338: { type: 'short', values: [1] } },
  }),
  palette: recipe({ bits: 4, photometric: 3, tags: colours }),
  'Group 3': bilevel({ compression: 3, width: 40 }),
  'Group 4': bilevel({ compression: 4, width: 40 }),
  'modified Huffman': bilevel({ compression: 2, width: 40, rowsPerStrip: 4 }),
  YCbCr: rgb({ photometric: 6, subsampling: [2, 2] }),
  real: recipe({ bits: 32, format: 3, compression: 8, predictor: 3 }),
  CMYK: recipe({ samples: 4, photometric: 5, tile: [16, 16] }),
  'L*a*b*': rgb({ photometric: 8 }),
};

export function fuzzTiff(count: number): void {
  fuzzDecoder({
    decoder: tiffDecoder,
    count,
    seed: 26,
    seeds: Object.entries(seeds).map(([name, from]) => ({ name, bytes: writeTiff(from) })),
    factsOf(bytes) {
      try {
        const { width, height, samples, bits } = pageOf(bytes);
        return stillFacts('tiff', width, height, { channels: samples, bitDepth: bits });
      } catch {
        // The decoder meets the same bytes next, and must refuse them just so.
        return stillFacts('tiff', 9, 8);
      }
    },
  });
}
