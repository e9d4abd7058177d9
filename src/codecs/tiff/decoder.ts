import { decodingFault, limitFault } from '../../faults.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import type { DecodedRaster, Decoder } from '../types.ts';
import { declaredBytes, planPage as planReading } from './cost.ts';
import { readPage } from './page.ts';
import { TiffRaster } from './raster.ts';

/**
 * TIFF, classic and BigTIFF of either byte order, first page, in strips or tiles, chunky or in planes.
 * - Compression: none, LZW (both bit orders), deflate, PackBits, JPEG (Technical Note 2), fax Groups 3 and 4,
 *   modified Huffman. Refused by name: JPEG as in TIFF 6.0 itself, LZMA, Zstandard, WebP, LERC, JBIG, JPEG
 *   2000 and others.
 * - Samples of 1 to 64 bits, unsigned, signed or real, all become 8 bits: see `tiff/samples.ts`; for the
 *   colour step 16, see `tiff/deep_samples.ts`.
 * - Colour: grey either way, RGB, palette, mask, CMYK by the plain formula, YCbCr, CIE L*a*b* under D50;
 *   alpha multiplied in or apart: see `tiff/page_colour.ts` and `tiff/colour.ts`. Colour space is otherwise
 *   left to the colour step.
 */
export const tiffDecoder: Decoder = {
  format: 'tiff',

  // Rows and samples of 16 bits instead of 8 take twice as much.
  cost: (facts, { preferHighBitDepth }) =>
    declaredBytes(facts) * (preferHighBitDepth && facts.bitDepth > 8 ? 2 : 1),

  async open(bytes: Uint8Array, facts: FileFacts): Promise<DecodedRaster> {
    const page = readPage(bytes);
    const { width, height, chunks } = page;
    if (facts.width !== width || facts.height !== height) {
      throw decodingFault(
        `The TIFF is ${width} × ${height} pixels where ${facts.width} × ${facts.height} were announced`,
      );
    }
    const reading = planReading(page);
    const promised = declaredBytes(facts);
    if (reading.bytes > promised) {
      const cut = `${chunks.tiled ? 'tiles' : 'strips'} of ${chunks.width} × ${chunks.height} pixels`;
      throw limitFault(
        `The TIFF's ${cut} would take ${reading.bytes} bytes to read; a page of its size may take ${promised}`,
      );
    }
    return new TiffRaster(page, reading);
  },
};
