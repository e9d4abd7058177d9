import { inflateStreamBytes } from '../../core/deflate/inflate.ts';
import { allocatedBytes, heldBytesFor } from '../../core/sizes.ts';
import type { FileFacts, TiffChunks } from '../../metadata/facts.ts';
import { rowsOfStrip, type Work } from '../../scheduling/work.ts';
import { LZW_STATE_BYTES } from '../lzw/reader.ts';
import { storedBytes } from './chunks.ts';
import { FAX_BYTES_PER_PIXEL } from './fax.ts';
import type { Page } from './page.ts';
import { Compression } from './tags.ts';

/** How a page will be decoded, and the bytes that this holds. */
export interface DecodePlan {
  /**
   * Chunks side by side are either all open at once, reading a row of each in turn, or decompressed one after
   * another into one strip as high as they are: whichever holds less.
   */
  readonly oneByOne: boolean;
  /** Rows of a strip; the last of a row of chunks may have fewer. */
  readonly stripRows: number;
  /** Peak bytes, without the compressed file. */
  readonly bytes: number;
}

/** What the memory for decoding a page depends on. */
interface PageFacts {
  readonly width: number;
  readonly height: number;
  readonly chunkWidth: number;
  readonly chunkHeight: number;
  readonly compression: number;
  /** Stored bytes of the largest chunk; those of JPEG are copied into the core. */
  readonly chunkBytes: number;
  readonly bits: number;
  readonly samples: number;
  /** Samples that are shown. */
  readonly shown: number;
  readonly planar: boolean;
  readonly predictor: number;
  readonly subsampling: readonly [horizontal: number, vertical: number];
}

/** The objects of one open chunk. */
const OBJECT_BYTES = 1024;
/** Tables: run codes of fax 33 KB, L*a*b* 19 KB, YCbCr 5 KB; palette; directory. */
const FIXED_BYTES = 96 * 1024;
/**
 * What one JPEG decoder holds in the core for each pixel of a chunk's width, and as a fixed part, whatever
 * its sampling; its compressed bytes come on top. Most of it is coefficients (17 bytes for each row of 8 and
 * component) and planes.
 */
const JPEG_BYTES_PER_PIXEL = 512;
const JPEG_FIXED_BYTES = 128 * 1024;

/**
 * The work of opening a strip or tile, in pixels; compressions that are not listed take the least. JPEG data
 * bring their own tables, and deflate makes new ones for each.
 */
const OPENING_WORK: Readonly<Record<number, Work>> = {
  [Compression.Deflate]: 128,
  [Compression.OldDeflate]: 128,
  [Compression.Jpeg]: 1024,
};
const LEAST_OPENING_WORK = 64;

/** The work of opening one strip or tile, in addition to its rows and pixels. */
export const openingWork = (compression: number): Work => OPENING_WORK[compression] ?? LEAST_OPENING_WORK;

/** The work of opening all strips or tiles of a page; none if the facts do not tell these. */
export function chunkWork({ width, height, channels, chunks }: FileFacts): { work: Work; parts: string } {
  if (!chunks) return { work: 0, parts: 'no strips' };
  const planes = chunks.planar ? Math.min(channels, MOST_SHOWN) : 1;
  const count = Math.ceil(width / chunks.width) * Math.ceil(height / chunks.height) * planes;
  return { work: count * openingWork(chunks.compression), parts: `${count} strips or tiles` };
}

/** Plans how to decode the page with the least memory. */
export function planPage(page: Page): DecodePlan {
  const { chunks, colour } = page;
  return planReading({
    ...page,
    chunkWidth: chunks.width,
    chunkHeight: chunks.height,
    chunkBytes: chunks.largest,
    shown: colour.shown.length,
    subsampling: colour.subsampling,
  });
}

function planReading(page: PageFacts): DecodePlan {
  const { width, height, chunkWidth, planar, subsampling } = page;
  const across = Math.ceil(width / chunkWidth);
  const rows = Math.min(page.chunkHeight, height);
  const planes = planar ? page.shown : 1;
  const units = subsampling[0] * subsampling[1] > 1 ? chunkWidth * subsampling[1] * 3 : 0;
  const { inCore, outside } = decompressorBytes(page);
  const chunkBytes = planes * (inCore + outside + OBJECT_BYTES) + units;
  const oneByOne = across > 1 && rows * width * 4 + chunkBytes < across * chunkBytes;
  const open = oneByOne ? 1 : across;
  const stripRows = oneByOne ? rows : rowsOfStrip(width, rows);
  // The floating-point predictor sorts a row into a second one.
  const stored = storedBytes(page, chunkWidth) * (page.predictor === 3 ? 2 : 1);
  const samples = chunkWidth * (planar ? planes : page.samples);
  const core = heldBytesFor([open * planes * inCore]);
  const held = stripRows * width * 4 + open * (chunkBytes - planes * inCore) + core;
  return { oneByOne, stripRows, bytes: held + stored + samples + FIXED_BYTES };
}

/** Bytes that one decompressor holds in the core's memory and outside of it. */
function decompressorBytes({ compression, chunkWidth: width, chunkBytes }: PageFacts) {
  switch (compression) {
    case Compression.Lzw:
      return { inCore: 0, outside: LZW_STATE_BYTES };
    case Compression.Deflate:
    case Compression.OldDeflate:
      return { inCore: allocatedBytes(inflateStreamBytes()), outside: 0 };
    case Compression.FaxRle:
    case Compression.FaxGroup3:
    case Compression.FaxGroup4:
      return { inCore: 0, outside: (width + 4) * FAX_BYTES_PER_PIXEL };
    case Compression.Jpeg:
      return { inCore: chunkBytes + (width + 32) * JPEG_BYTES_PER_PIXEL + JPEG_FIXED_BYTES, outside: 0 };
    default:
      return { inCore: 0, outside: 0 };
  }
}

/**
 * Tiles of common sizes: 16 (the least, TIFF 6.0 section 15) to 4096 a side, and up to four times as high or
 * wide.
 */
const TILE_SIDES = [16, 32, 64, 128, 192, 256, 384, 512, 1024, 2048, 4096];
const TILE_SHAPES = [
  [1, 1],
  [1, 4],
  [4, 1],
] as const;

/** Sizes between those that are tried take little more. */
const MARGIN = 1.25;

/**
 * JPEG data is copied: photographs of good quality take at most a quarter of a byte per sample; no file is
 * larger than MOST_CHUNK_BYTES.
 */
const JPEG_RATIO = 4;
const MOST_CHUNK_BYTES = 25 * 1024 * 1024;

/** Colour has three or four samples shown, and alpha. */
const MOST_SHOWN = 5;

/**
 * The most bytes that decoding a TIFF with these facts may take. A page that would take more is refused when
 * it is opened.
 * @param facts if they do not tell the strips or tiles, the maximum over all common sizes counts
 */
export function declaredBytes(facts: FileFacts): number {
  return facts.chunks ? bytesOfChunks(facts, facts.chunks) : bytesOfCommonChunks(facts);
}

/** What the memory depends on, apart from strips or tiles; the worst case if the facts do not tell. */
function commonFacts({ width, height, channels, bitDepth }: FileFacts) {
  return {
    width: Math.max(1, width),
    height: Math.max(1, height),
    bits: Math.max(1, bitDepth),
    samples: Math.max(1, channels),
    shown: Math.min(Math.max(1, channels), MOST_SHOWN),
    predictor: 3,
  };
}

/** The subsampling that takes the most memory: 4 × 4 if there may be any. */
const subsamplingFactor = (bits: number, samples: number, planar: boolean) =>
  bits === 8 && samples === 3 && !planar ? 4 : 1;

function bytesOfChunks(facts: FileFacts, chunks: TiffChunks): number {
  const common = commonFacts(facts);
  const { compression, planar } = chunks;
  const subsampled = facts.colour === 'ycbcr' && compression !== Compression.Jpeg;
  const factor = subsampled ? subsamplingFactor(common.bits, common.samples, planar) : 1;
  return planReading({
    ...common,
    chunkWidth: chunks.width,
    chunkHeight: chunks.height,
    compression,
    chunkBytes: chunks.largestBytes,
    planar,
    subsampling: [factor, factor],
  }).bytes;
}

function bytesOfCommonChunks(facts: FileFacts): number {
  const common = commonFacts(facts);
  const compressions =
    common.bits === 1 ? [Compression.Deflate, Compression.FaxGroup4] : [Compression.Deflate];
  const planarities = common.samples > 1 ? [false, true] : [false];
  let most = 0;
  const consider = (chunkWidth: number, chunkHeight: number) => {
    const rows = Math.min(chunkHeight, common.height);
    const jpegBytes = Math.ceil((rows * chunkWidth * common.samples) / JPEG_RATIO);
    const chunkBytes = Math.min(MOST_CHUNK_BYTES, jpegBytes);
    for (const compression of compressions) {
      for (const planar of planarities) {
        for (const factor of [1, subsamplingFactor(common.bits, common.samples, planar)]) {
          const subsampling = [factor, factor] as const;
          const cut = { chunkWidth, chunkHeight, compression, chunkBytes, planar, subsampling };
          most = Math.max(most, planReading({ ...common, ...cut }).bytes);
        }
      }
    }
  };
  consider(common.width, common.height);
  for (const side of TILE_SIDES) {
    for (const [wide, high] of TILE_SHAPES) consider(side * wide, side * high);
  }
  return Math.ceil(most * MARGIN);
}
