import { decodingFault, limitFault } from '../faults.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { readPage } from './tiff/page.ts';
import { promisedBytes } from './tiff/promise.ts';
import { TiffRaster } from './tiff/raster.ts';
import { planReading } from './tiff/reading.ts';
import type { Decoder, Raster } from './types.ts';

/** TIFF, classic and BigTIFF, first page. What is read is listed in `tiff/page.ts` and the files it uses. */
export const tiffDecoder: Decoder = {
  format: 'tiff',

  cost: promisedBytes,

  async open(bytes: Uint8Array, facts: FileFacts): Promise<Raster & Disposable> {
    const page = readPage(bytes);
    const { width, height, chunks } = page;
    if (facts.width !== width || facts.height !== height) {
      throw decodingFault(
        `The TIFF is ${width} × ${height} pixels where ${facts.width} × ${facts.height} were announced`,
      );
    }
    const reading = planReading(page);
    const promised = promisedBytes(facts);
    if (reading.bytes > promised) {
      const cut = `${chunks.tiled ? 'tiles' : 'strips'} of ${chunks.width} × ${chunks.height} pixels`;
      throw limitFault(
        `The TIFF's ${cut} would take ${reading.bytes} bytes to read; a page of its size may take ${promised}`,
      );
    }
    return new TiffRaster(page, reading);
  },
};
