import { heldBytesFor } from '../../core/sizes.ts';
import { alphaEncoderBytes } from '../../core/webp/alpha_encode.ts';
import { webpWriterBytes } from '../../core/webp/encode.ts';
import { outputBufferBytes } from '../../memory/output_buffer.ts';
import type { Size } from '../types.ts';

/**
 * Bits per pixel of photographs by quality: nine in ten of 29 real ones stay well below. Interpolated
 * linearly between two qualities.
 */
const BITS_PER_PIXEL: readonly (readonly [quality: number, bits: number])[] = [
  [0, 0.6],
  [30, 0.7],
  [50, 0.95],
  [75, 1.3],
  [85, 1.95],
  [92, 3],
  [95, 3.6],
  [100, 4.8],
];
/** The lossless alpha of photographs that were cut out. */
const ALPHA_BITS_PER_PIXEL = 0.5;

/** Headers and probabilities. */
const HEADER_BYTES = 1200;

/** The predicted length of a photograph's WebP, in bytes. */
export function predictedOutputBytes({ width, height }: Size, quality: number, opaque: boolean): number {
  const above = Math.max(
    1,
    BITS_PER_PIXEL.findIndex(([q]) => q >= quality),
  );
  const [lowQuality, lowBits] = BITS_PER_PIXEL[above - 1]!;
  const [highQuality, highBits] = BITS_PER_PIXEL[above]!;
  const bits = lowBits + ((quality - lowQuality) / (highQuality - lowQuality)) * (highBits - lowBits);
  const alphaBits = opaque ? 0 : ALPHA_BITS_PER_PIXEL;
  return HEADER_BYTES + Math.ceil((width * height * (bits + alphaBits)) / 8);
}

/** Bytes that encoding holds in the core its rows lie in; exact. */
export const writerBytes = ({ width, height }: Size, opaque: boolean): number[] => [
  webpWriterBytes(width, height, opaque ? 0 : 1),
  ...(opaque ? [] : [alphaEncoderBytes(width, height)]),
];

/** Bytes that encoding holds if its output has `outputBytes`. */
export const encodingBytes = (size: Size, opaque: boolean, outputBytes: number): number =>
  heldBytesFor(writerBytes(size, opaque)) + outputBufferBytes(outputBytes);
