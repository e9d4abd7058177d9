import { type JpegSampling, TOKEN_BUDGET } from '../../core/jpeg/encode.ts';
import { allocatedBytes, coreSize, heldBytesFor } from '../../core/sizes.ts';
import { outputBufferBytes } from '../../memory/output_buffer.ts';
import type { Chroma, Size } from '../types.ts';

/**
 * From this quality on chroma is kept whole (4:4:4). Below it, chroma is halved both ways (4:2:0) if the
 * content allows it.
 */
export const FULL_CHROMA_QUALITY = 90;

/**
 * Bits per pixel of photographs by quality: more than nine in ten of 75 photographs of 0.1 to 12 megapixels
 * need (4:2:0 below quality 90, 4:4:4 from there on). Interpolated linearly between two qualities.
 */
const BITS_PER_PIXEL: readonly (readonly [quality: number, bits: number])[] = [
  [1, 0.67],
  [30, 0.72],
  [50, 1.13],
  [75, 1.64],
  [85, 2.25],
  [89, 2.58],
  [90, 3],
  [92, 3.22],
  [95, 4],
  [100, 8.2],
];

/**
 * Bytes of tokens for each byte of output and for each block. Measured on the same pictures: with 1.3 a byte,
 * the rest is 1.4 to 3.5 a block for nearly all of them, at every quality.
 */
const TOKENS_PER_BYTE = 1.3;
const TOKENS_PER_BLOCK = 3.5;

/**
 * Content may have this many times the tokens of a photograph before the Huffman tables are made from a part
 * of it. The reserve makes a segment's tokens fit in any case.
 */
const TOKEN_MARGIN = 1.25;
const TOKEN_RESERVE = 65_536;

/** Blocks of 8 × 8 samples for each 64 pixels: 4:2:0 and 4:4:4. */
const HALVED_BLOCKS = 1.5;
const FULL_BLOCKS = 3;

/** Markers and tables. */
const MARKER_BYTES = 640;

/**
 * How many times longer whole chroma makes a photograph: nine in ten of 34 camera pictures stay below this at
 * every quality from 30 to 95 (1.14 to 1.19; 1.09 to 1.12 on average).
 */
const WHOLE_CHROMA_LENGTH = 1.17;

/** A picture and the chroma that is asked for; absent: by quality and content. */
export type EncodedSize = Size & { readonly chroma?: Chroma | undefined };

/**
 * Whether chroma is counted as whole. Chroma that is halved again only if the content allows it counts, too.
 */
const countsWhole = (chroma: Chroma | undefined, quality: number) =>
  chroma === 'whole' || (chroma !== 'halved' && quality >= FULL_CHROMA_QUALITY);

/** The predicted length of a photograph's JPEG, in bytes. */
export function predictedOutputBytes({ width, height, chroma }: EncodedSize, quality: number): number {
  const above = Math.max(
    1,
    BITS_PER_PIXEL.findIndex(([q]) => q >= quality),
  );
  const [lowQuality, lowBits] = BITS_PER_PIXEL[above - 1]!;
  const [highQuality, highBits] = BITS_PER_PIXEL[above]!;
  const bits = lowBits + ((quality - lowQuality) / (highQuality - lowQuality)) * (highBits - lowBits);
  const change = Number(countsWhole(chroma, quality)) - Number(quality >= FULL_CHROMA_QUALITY);
  return MARKER_BYTES + Math.ceil((width * height * bits * WHOLE_CHROMA_LENGTH ** change) / 8);
}

/**
 * Memory for tokens until the Huffman tables are made: a quarter more than those of a photograph take. If the
 * content has more, the tables are made from the blocks so far.
 */
export function tokenBytes(size: EncodedSize, quality: number): number {
  const blocks = Math.ceil(size.width / 8) * Math.ceil(size.height / 8);
  const each = countsWhole(size.chroma, quality) ? FULL_BLOCKS : HALVED_BLOCKS;
  const expected = predictedOutputBytes(size, quality) * TOKENS_PER_BYTE + blocks * each * TOKENS_PER_BLOCK;
  return Math.min(TOKEN_BUDGET, Math.ceil(TOKEN_RESERVE + expected * TOKEN_MARGIN));
}

/** Bytes that encoding holds in the core its rows lie in; exact. */
export function writerBytes(size: EncodedSize, sampling: JpegSampling, quality: number): number {
  return bufferBytes(size.width, sampling) + allocatedBytes(tokenBytes(size, quality));
}

/** Bytes of a writer's buffers, without its tokens. */
const bufferBytes = coreSize((exports, width: number, sampling: JpegSampling) =>
  exports.jpegEncodeBytes(width, sampling, 0),
);

/** Bytes that encoding holds if its output has `outputBytes`. */
export function encodingBytes(
  size: EncodedSize,
  sampling: JpegSampling,
  quality: number,
  outputBytes: number,
): number {
  return heldBytesFor([writerBytes(size, sampling, quality)]) + outputBufferBytes(outputBytes);
}
