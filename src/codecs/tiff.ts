import { decodingFault, limitFault } from '../faults.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { readPage } from './tiff/page.ts';
import { TiffRaster } from './tiff/raster.ts';
import { planReading, rowsInStrip } from './tiff/reading.ts';
import type { Decoder, Raster } from './types.ts';

/** What every reading holds besides what grows with the width. */
const FIXED_BYTES = 640 * 1024;
/** Room for a tile's overhang: tiles wider than their page are common on small pages. */
const TILE_WIDTH = 4096;
/**
 * Tiles side by side, for each pixel of width: t × t pixels take t × 4 bytes as a strip of tiles, or 160 KB / t as open
 * inflate streams, whichever is less: 800 at the worst t. Twice that covers tiles up to four times as high as wide.
 */
const TILE_BYTES_PER_PIXEL = 1600;

/** TIFF, classic and BigTIFF, first page. What is read is listed in `tiff/page.ts` and the files it uses. */
export const tiffDecoder: Decoder = {
  format: 'tiff',

  /** A promise for any common cut into strips or tiles, which the facts do not tell; `open` refuses what would break it. */
  cost(facts: FileFacts): number {
    const { width, height } = facts;
    const strip = rowsInStrip(Math.max(1, width), Math.max(1, height)) * width * 4;
    const samples = Math.max(1, facts.channels);
    const stored = Math.max(width, TILE_WIDTH) * samples * (Math.ceil(facts.bitDepth / 8) * 2 + 1);
    const fax = facts.bitDepth === 1 ? Math.max(width, TILE_WIDTH) * samples * 8 : 0;
    return strip + stored + fax + Math.min(width * height * 4, width * TILE_BYTES_PER_PIXEL) + FIXED_BYTES;
  },

  async open(bytes: Uint8Array, facts: FileFacts): Promise<Raster & Disposable> {
    const page = readPage(bytes);
    if (facts.width !== page.width || facts.height !== page.height) {
      throw decodingFault(
        `The TIFF is ${page.width} × ${page.height} pixels where ${facts.width} × ${facts.height} were announced`,
      );
    }
    const reading = planReading(page);
    const promised = tiffDecoder.cost(facts, {});
    if (reading.bytes > promised) {
      const { width, height } = page.chunks;
      throw limitFault(
        `The TIFF's ${page.chunks.tiled ? 'tiles' : 'strips'} of ${width} × ${height} pixels would take ${reading.bytes} bytes to read; ${promised} are allowed for a page of its size`,
      );
    }
    return new TiffRaster(page, reading);
  },
};
