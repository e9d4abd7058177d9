import { LZW_STATE_BYTES } from '../lzw.ts';
import { FAX_BYTES_PER_PIXEL } from './fax_rows.ts';
import type { Page } from './page.ts';
import { storedBytes } from './page_chunks.ts';
import { Compression } from './tags.ts';

/** How a page will be read, and what that holds. */
export interface Reading {
  /**
   * Chunks side by side are either all open at once, a row of each in turn, or unpacked one after another into one strip
   * as high as they are: whichever holds less.
   */
  readonly oneByOne: boolean;
  /** Rows of a strip; the last of a row of chunks may have fewer. */
  readonly stripRows: number;
  /** Peak bytes, the compressed file not counted. */
  readonly bytes: number;
}

/** A strip holds as many rows as fit into this, and one at least. */
const STRIP_BYTES = 1 << 18;
/** One inflate stream in the core (wasm/assembly/inflate/state.ts) with its share of a page. */
const INFLATE_BYTES = 160 * 1024;
/** The core's static data, and the page its memory is rounded up to. */
const CORE_BYTES = 128 * 1024;
/** The objects of one open chunk. */
const OBJECT_BYTES = 1024;
/** Tables: run codes of fax 33 KB, L*a*b* 19 KB, YCbCr 5 KB; palette; directory. */
const FIXED_BYTES = 96 * 1024;

export const rowsInStrip = (width: number, height: number) =>
  Math.max(1, Math.min(height, Math.floor(STRIP_BYTES / (width * 4))));

export function planReading(page: Page): Reading {
  const { width, height, chunks, colour, compression, planar } = page;
  const rows = Math.min(chunks.height, height);
  const planes = planar ? colour.components + (colour.alpha === undefined ? 0 : 1) : 1;
  const units =
    colour.subsampling[0] * colour.subsampling[1] > 1 ? chunks.width * colour.subsampling[1] * 3 : 0;
  const chunkBytes = planes * (sourceBytes(compression, chunks.width) + OBJECT_BYTES) + units;
  const streamed = chunks.across * chunkBytes;
  const buffered = rows * width * 4 + chunkBytes;
  const oneByOne = chunks.across > 1 && buffered < streamed;
  const stripRows = oneByOne ? rows : rowsInStrip(width, rows);
  const rowBytes = storedBytes({ ...page, ...colour }, chunks.width);
  // The floating predictor sorts a row into a second one.
  const stored = rowBytes * (page.predictor === 3 ? 2 : 1);
  const samples = chunks.width * (planar ? planes : page.samples);
  const held = stripRows * width * 4 + (oneByOne ? chunkBytes : streamed);
  return { oneByOne, stripRows, bytes: held + stored + samples + CORE_BYTES + FIXED_BYTES };
}

/** What one decompressor holds. */
function sourceBytes(compression: number, width: number): number {
  switch (compression) {
    case Compression.Lzw:
      return LZW_STATE_BYTES;
    case Compression.Deflate:
    case Compression.OldDeflate:
      return INFLATE_BYTES;
    case Compression.FaxRle:
    case Compression.FaxGroup3:
    case Compression.FaxGroup4:
      return (width + 4) * FAX_BYTES_PER_PIXEL;
    default:
      return 0;
  }
}
