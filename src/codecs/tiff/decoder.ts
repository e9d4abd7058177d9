import { createCore } from '../../core/instance.ts';
import { heldBytesFor } from '../../core/sizes.ts';
import { decodingFault, limitFault } from '../../faults.ts';
import { bytesOf, type ImageFile } from '../../memory/image_file.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import { inTurns, uninterrupted } from '../../scheduling/time_slice.ts';
import { MAX_ROW_PIXELS } from '../../scheduling/work.ts';
import type { DecodedRaster, Decoder, Want } from '../types.ts';
import { chunkWork, declaredBytes, planPage } from './cost.ts';
import { readPage } from './page.ts';
import { TiffRaster } from './raster.ts';

/**
 * TIFF, classic and BigTIFF of either byte order, first page, in strips or tiles, chunky or in planes.
 * - Compression: none, LZW (both bit orders), deflate, PackBits, JPEG (Technical Note 2), fax Groups 3 and 4,
 *   modified Huffman. Refused by name: JPEG in the form of TIFF 6.0 itself, LZMA, Zstandard, WebP, LERC,
 *   JBIG, JPEG 2000 and others.
 * - Samples of 1 to 64 bits, unsigned, signed or real, all become 8 bits (`tiff/samples.ts`), or 16 for the
 *   colour step (`tiff/samples16.ts`).
 * - Colour: grey with black or white as zero, RGB, palette, mask, CMYK by the plain formula, YCbCr, CIE
 *   L*a*b* under D50; alpha premultiplied or separate: see `tiff/photometric.ts` and `tiff/colour.ts`.
 *   Everything else about colour is left to the colour step.
 */
export const tiffDecoder: Decoder = {
  format: 'tiff',
  reading: { pixelTime: 35, pixelWork: () => 2 },

  // Rows and samples of 16 bits instead of 8 take twice as much.
  cost: (facts, { preferHighBitDepth }) => ({
    inCores: heldBytesFor([]),
    elsewhere: declaredBytes(facts) * (preferHighBitDepth && facts.bitDepth > 8 ? 2 : 1),
  }),

  work: chunkWork,

  async open(
    file: ImageFile,
    facts: FileFacts,
    { reserveBytes = 0 }: Want,
    slice = uninterrupted,
  ): Promise<DecodedRaster> {
    const page = await inTurns(readPage(bytesOf(file)), slice);
    const { width, height, chunks } = page;
    if (facts.width !== width || facts.height !== height) {
      throw decodingFault(
        `The TIFF is ${width} × ${height} pixels where ${facts.width} × ${facts.height} were announced`,
      );
    }
    if (width > MAX_ROW_PIXELS) {
      throw limitFault(`Expected rows of at most ${MAX_ROW_PIXELS} pixels but the TIFF's have ${width}`);
    }
    const plan = planPage(page);
    const declared = declaredBytes(facts);
    if (plan.bytes > declared) {
      const cut = `${chunks.tiled ? 'tiles' : 'strips'} of ${chunks.width} × ${chunks.height} pixels`;
      throw limitFault(
        `The TIFF's ${cut} would take ${plan.bytes} bytes to read; a page of its size may take ${declared}`,
      );
    }
    const stripBytes = plan.stripRows * width * 4;
    return new TiffRaster(page, plan, createCore(stripBytes + reserveBytes));
  },
};
