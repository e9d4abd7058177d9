import { ROW_SLACK } from '../../core/constants.ts';
import { PAGE_BYTES } from '../../core/memory_pool.ts';
import { heldBytesFor } from '../../core/sizes.ts';
import type { MemoryCost } from '../../memory/memory_cost.ts';
import type { Av1Coding, AvifPictures, PredictedLayers } from '../../metadata/facts.ts';
import type { Size } from '../types.ts';

/** The most frames of a picture that are decoded: as many as AV1 has spatial layers (spatial_id, §5.3.3). */
export const MAX_FRAMES = 4;
/** Rows that are copied out of the frame at a time. */
export const STRIP_ROWS = 32;

/**
 * What an instance of libavif holds, from measurements of 171 streams of aomenc: 64 to 20,000 columns, 2 to 4
 * frames, all depths and samplings, with tiles, restoration, film grain, lower layers of half the size, and
 * some with alpha. The sum is 1.0 to 1.6 times what they took, except for five with superres that took more.
 * Nothing grows beyond it: a picture that needs more is refused (src/core/libavif.ts).
 */
const INITIAL_BYTES = 256 * PAGE_BYTES;
/** Tables, stack, decoders. The initial memory is enough for these and a small picture. */
const FIXED_BYTES = 10 * 1024 * 1024;
/** Samples around each frame, on either side. */
const BORDER = 96;
/** Frames held for each of the picture's frames, and in addition to these. */
const FRAMES_PER_FRAME = 1.25;
const FRAMES_BESIDE = 0.5;
/** Modes of blocks, motion vectors, data that filters keep. */
const BYTES_PER_PIXEL = 22;

/**
 * For each byte of the bitstreams: two copies, and a buffer in which this build of libaom notes each symbol
 * of a frame, and which doubles when full. At most 12.1 were measured: 55.8 MB for 1000 × 1000 pixels in 1.4
 * MB, of which 38.9 come from the sizes.
 */
const BYTES_PER_CODED_BYTE = 13;

/** The most frames of each picture that are decoded. */
export const framesOf = ({ frames }: PredictedLayers): number => Math.min(frames, MAX_FRAMES);

/** The memory that libavif may grow to for a picture, from the sizes that its sequence headers state. */
export function libavifBytes({ colour, alpha }: AvifPictures, predicted: PredictedLayers): number {
  const pictures = alpha ? [colour, alpha] : [colour];
  const bytes = pictures.reduce((sum, picture) => sum + decodingBytes(picture, framesOf(predicted)), 0);
  const needed = Math.max(INITIAL_BYTES, FIXED_BYTES + bytes + BYTES_PER_CODED_BYTE * predicted.bytes);
  return Math.ceil(needed / PAGE_BYTES) * PAGE_BYTES;
}

function decodingBytes({ width, height, depth, monochrome, subX, subY }: Av1Coding, frames: number): number {
  const padded = (Math.ceil(width / 8) * 8 + 2 * BORDER) * (Math.ceil(height / 8) * 8 + 2 * BORDER);
  // libaom also holds flat chroma for monochrome pictures.
  const chroma = monochrome ? 0.5 : 2 / ((1 + subX) * (1 + subY));
  const frame = padded * (1 + chroma) * (depth > 8 ? 2 : 1);
  return (frames * FRAMES_PER_FRAME + FRAMES_BESIDE) * frame + BYTES_PER_PIXEL * width * height;
}

/** Bytes that the rows being read take in the picture's core. */
export const stripBytes = ({ width, height }: Size): number =>
  Math.min(STRIP_ROWS, height) * width * 4 + ROW_SLACK;

/** Bytes that reading such a picture holds in addition to its file: the frame stays in libavif's memory. */
export const predictedLayersCost = (
  size: Size,
  pictures: AvifPictures,
  predicted: PredictedLayers,
): MemoryCost => ({
  inCores: heldBytesFor([stripBytes(size)]) + PAGE_BYTES + libavifBytes(pictures, predicted),
  // Bitstreams stored in pieces are joined.
  elsewhere: pictures.colour.copiedBytes + (pictures.alpha?.copiedBytes ?? 0),
});
