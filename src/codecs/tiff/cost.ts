import { LZW_STATE_BYTES } from '../lzw/reader.ts';
import { FAX_BYTES_PER_PIXEL } from './fax_rows.ts';
import { JPEG_BYTES_PER_PIXEL, JPEG_FIXED_BYTES } from './jpeg_rows.ts';
import type { Page } from './page.ts';
import { storedBytes } from './page_chunks.ts';
import { Compression } from './tags.ts';

/** How a page will be read, and what that holds. */
export interface Reading {
  /**
   * Chunks side by side are either all open at once, a row of each in turn, or unpacked one after another
   * into one strip as high as they are: whichever holds less.
   */
  readonly oneByOne: boolean;
  /** Rows of a strip; the last of a row of chunks may have fewer. */
  readonly stripRows: number;
  /** Peak bytes, the compressed file not counted. */
  readonly bytes: number;
}

/** What the memory of a reading depends on. */
export interface ReadingShape {
  readonly width: number;
  readonly height: number;
  readonly chunkWidth: number;
  readonly chunkHeight: number;
  readonly compression: number;
  /** Stored bytes of the largest chunk; JPEG's are copied into the core. */
  readonly chunkBytes: number;
  readonly bits: number;
  readonly samples: number;
  /** Samples that are shown. */
  readonly shown: number;
  readonly planar: boolean;
  readonly predictor: number;
  readonly subsampling: readonly [horizontal: number, vertical: number];
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

export function planReading(page: Page): Reading {
  const { chunks, colour } = page;
  return planShape({
    ...page,
    chunkWidth: chunks.width,
    chunkHeight: chunks.height,
    chunkBytes: chunks.largest,
    shown: colour.shown.length,
    subsampling: colour.subsampling,
  });
}

export function planShape(shape: ReadingShape): Reading {
  const { width, height, chunkWidth, planar, subsampling } = shape;
  const across = Math.ceil(width / chunkWidth);
  const rows = Math.min(shape.chunkHeight, height);
  const planes = planar ? shape.shown : 1;
  const units = subsampling[0] * subsampling[1] > 1 ? chunkWidth * subsampling[1] * 3 : 0;
  const chunkBytes = planes * (sourceBytes(shape) + OBJECT_BYTES) + units;
  const streamed = across * chunkBytes;
  const oneByOne = across > 1 && rows * width * 4 + chunkBytes < streamed;
  const stripRows = oneByOne ? rows : Math.max(1, Math.min(rows, Math.floor(STRIP_BYTES / (width * 4))));
  // The floating predictor sorts a row into a second one.
  const stored = storedBytes(shape, chunkWidth) * (shape.predictor === 3 ? 2 : 1);
  const samples = chunkWidth * (planar ? planes : shape.samples);
  const held = stripRows * width * 4 + (oneByOne ? chunkBytes : streamed);
  return { oneByOne, stripRows, bytes: held + stored + samples + CORE_BYTES + FIXED_BYTES };
}

/** What one decompressor holds. */
function sourceBytes({ compression, chunkWidth: width, chunkBytes }: ReadingShape): number {
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
    case Compression.Jpeg:
      return chunkBytes + (width + 32) * JPEG_BYTES_PER_PIXEL + JPEG_FIXED_BYTES;
    default:
      return 0;
  }
}
