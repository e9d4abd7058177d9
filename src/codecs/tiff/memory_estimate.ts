import type { FileFacts, TiffChunks } from '../../metadata/facts.ts';
import { planShape, type ReadingShape } from './cost.ts';
import { Compression } from './tags.ts';

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

/** Sizes between those tried take little more. */
const MARGIN = 1.25;

/**
 * JPEG data is copied: photographs of good quality take a quarter of a byte a sample or less; files are not
 * larger.
 */
const JPEG_RATIO = 4;
const MOST_CHUNK_BYTES = 25 * 1024 * 1024;

/** Colour has three or four samples shown, and alpha. */
const MOST_SHOWN = 5;

/**
 * What the memory of a reading depends on beside the cut, taken for the worst where the facts do not tell.
 */
function commonShape({ width, height, channels, bitDepth }: FileFacts) {
  return {
    width: Math.max(1, width),
    height: Math.max(1, height),
    bits: Math.max(1, bitDepth),
    samples: Math.max(1, channels),
    shown: Math.min(Math.max(1, channels), MOST_SHOWN),
    predictor: 3,
  };
}

/** Subsampled colour that takes the most: 4 × 4 where there may be any. */
const subsamplingFactor = (bits: number, samples: number, planar: boolean) =>
  bits === 8 && samples === 3 && !planar ? 4 : 1;

/**
 * Bytes that reading a TIFF with these facts may take. What would take more is refused when the page is
 * opened.
 * @param facts where they do not tell how the page is cut, the most of all common ways counts
 */
export function declaredBytes(facts: FileFacts): number {
  return facts.chunks ? bytesOfCut(facts, facts.chunks) : bytesOfCommonCuts(facts);
}

function bytesOfCut(facts: FileFacts, chunks: TiffChunks): number {
  const common = commonShape(facts);
  const { compression, planar } = chunks;
  const subsampled = facts.colour === 'ycbcr' && compression !== Compression.Jpeg;
  const factor = subsampled ? subsamplingFactor(common.bits, common.samples, planar) : 1;
  const shape: ReadingShape = {
    ...common,
    chunkWidth: chunks.width,
    chunkHeight: chunks.height,
    compression,
    chunkBytes: chunks.largestBytes,
    planar,
    subsampling: [factor, factor],
  };
  return planShape(shape).bytes;
}

function bytesOfCommonCuts(facts: FileFacts): number {
  const common = commonShape(facts);
  const compression =
    common.bits === 1 ? [Compression.Deflate, Compression.FaxGroup4] : [Compression.Deflate];
  const planar = common.samples > 1 ? [false, true] : [false];
  let most = 0;
  const consider = (chunkWidth: number, chunkHeight: number) => {
    const tall = Math.min(chunkHeight, common.height);
    for (const code of compression) {
      for (const apart of planar) {
        for (const factor of [1, subsamplingFactor(common.bits, common.samples, apart)]) {
          const shape: ReadingShape = {
            ...common,
            chunkWidth,
            chunkHeight,
            compression: code,
            chunkBytes: Math.min(
              MOST_CHUNK_BYTES,
              Math.ceil((tall * chunkWidth * common.samples) / JPEG_RATIO),
            ),
            planar: apart,
            subsampling: [factor, factor],
          };
          most = Math.max(most, planShape(shape).bytes);
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
