import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { type DecoderSample, decoderCases, stillFacts } from '../../cases/decoder_cases.ts';
import { expectedPixels } from '../../fixtures/tiff_expected.ts';
import { type TiffRecipe, writeTiff } from '../../fixtures/tiff_writer.ts';

/** Neither flat nor noise, different in every sample, within `bits`. */
const pattern =
  (bits: number) =>
  (x: number, y: number, sample: number): number =>
    ((x * 5 + y * 3 + sample * 11 + ((x * y) >> 2)) * (bits > 8 ? 2 ** (bits - 8) + 1 : 1)) % 2 ** bits;

const grey = (width: number, height: number, other: Partial<TiffRecipe> = {}): TiffRecipe => ({
  width,
  height,
  value: pattern(other.bits ?? 8),
  ...other,
});
const rgb = (width: number, height: number, other: Partial<TiffRecipe> = {}) =>
  grey(width, height, { samples: 3, photometric: 2, ...other });

/**
 * Pixels come before the directory in a file by `writeTiff`: a cut in the pixels loses the directory.
 */
function sample(name: string, recipe: TiffRecipe, exact = true): DecoderSample {
  const bytes = writeTiff(recipe);
  return {
    name,
    bytes,
    facts: stillFacts('tiff', recipe.width, recipe.height, {
      channels: recipe.samples ?? 1,
      bitDepth: recipe.bits ?? 8,
    }),
    ...(exact ? { pixels: expectedPixels(recipe) } : {}),
  };
}

/** Red, green and blue of 16 colours, 16 bits each. */
const colourMap = {
  320: { type: 'short', values: Array.from({ length: 48 }, (_, at) => (at * 5413) % 65536) },
} as const;
const unassociated = { 338: { type: 'short', values: [2] } } as const;
const associated = { 338: { type: 'short', values: [1] } } as const;

decoderCases({
  decoder: tiffDecoder,
  cuts: 100,
  // Cut files lose their directory, which stands behind the pixels: nothing was reached.
  namesRow: false,
  samples: [
    sample('grey in one strip', grey(13, 9)),
    sample('RGB in strips of 4 rows, big-endian', rgb(11, 10, { bigEndian: true, rowsPerStrip: 4 })),
    sample('several strips of rows for one of the file', rgb(700, 300, { compression: 8 })),
    sample('BigTIFF, LZW, predictor', rgb(17, 12, { big: true, compression: 5, predictor: 2 })),
    sample('LZW as before TIFF 5.0', grey(40, 30, { compression: 5, oldLzw: true })),
    sample('tiles of deflate', rgb(37, 35, { compression: 8, tile: [16, 16] })),
    sample('a row of tiles unpacked one by one', rgb(130, 18, { compression: 32946, tile: [16, 16] })),
    sample(
      'planes of 16 bits, predictor',
      rgb(9, 9, { bits: 16, planar: true, compression: 5, predictor: 2 }),
    ),
    sample('tiled planes, PackBits', rgb(20, 20, { planar: true, compression: 32773, tile: [16, 16] })),
    sample('palette of 4 bits', grey(15, 6, { bits: 4, photometric: 3, tags: colourMap })),
    sample('fax, Group 4', grey(50, 20, { bits: 1, photometric: 0, compression: 4 })),
    sample('fax, Group 3, turned bits', grey(50, 20, { bits: 1, compression: 3, reversed: true })),
    sample(
      'fax, modified Huffman',
      grey(50, 20, { bits: 1, photometric: 0, compression: 2, rowsPerStrip: 6 }),
    ),
    sample('CMYK', grey(8, 8, { samples: 4, photometric: 5 })),
    sample('alpha apart', rgb(8, 8, { samples: 4, tags: unassociated })),
    sample('alpha multiplied in', grey(8, 8, { samples: 2, tags: associated, planar: true })),
    sample('YCbCr, two by two', rgb(9, 7, { photometric: 6, subsampling: [2, 2], rowsPerStrip: 4 }), false),
    sample(
      'real numbers',
      rgb(7, 5, { bits: 32, format: 3, value: (x, y, s) => (x + y + s) / 14, predictor: 3, compression: 8 }),
      false,
    ),
    sample('L*a*b*', grey(7, 5, { samples: 3, photometric: 8 }), false),
  ],
});
