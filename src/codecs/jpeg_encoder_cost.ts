import { createCore } from '../../wasm/core.ts';
import { heldBytesFor } from '../../wasm/footprint.ts';
import { type JpegLayout, REGION_START, REGION_STEP, TOKEN_BUDGET } from '../../wasm/jpeg_encode.ts';
import type { Size } from './types.ts';

/**
 * Bits a pixel of photographs by quality: what nine in ten of 35 camera pictures of 0.1 to 12 megapixels stay below (4:2:0 below
 * quality 90, 4:4:4 from there). Between two qualities on a straight line.
 */
const BITS_A_PIXEL: readonly (readonly [quality: number, bits: number])[] = [
  [1, 0.7],
  [30, 0.75],
  [50, 1.1],
  [75, 1.7],
  [85, 2.4],
  [89, 2.7],
  [90, 3.2],
  [92, 3.4],
  [95, 4.2],
  [100, 8.2],
];

/** Bytes of tokens for each byte of output, and for each 8 × 8 block of luma, at most (photographs: see jpeg_encoder_cost.node.test.ts). */
const TOKENS_A_BYTE = 1.4;

/** Markers and tables. */
const MARKER_BYTES = 640;

/** How long the JPEG of a photograph will be, in bytes. */
export function predictedOutputBytes({ width, height }: Size, quality: number): number {
  const above = Math.max(
    1,
    BITS_A_PIXEL.findIndex(([q]) => q >= quality),
  );
  const [lowQuality, lowBits] = BITS_A_PIXEL[above - 1]!;
  const [highQuality, highBits] = BITS_A_PIXEL[above]!;
  const bits = lowBits + ((quality - lowQuality) / (highQuality - lowQuality)) * (highBits - lowBits);
  return MARKER_BYTES + Math.ceil((width * height * bits) / 8);
}

/** Bytes that encoding holds when `outputBytes` come of it: fixed buffers, and tokens that make way for the output. */
export function encodingBytes({ width }: Size, layout: JpegLayout, outputBytes: number): number {
  const tokens = Math.min(TOKEN_BUDGET, outputBytes * TOKENS_A_BYTE);
  const region = REGION_START + Math.max(tokens, outputBytes) + REGION_STEP;
  return heldBytesFor([createCore().exports.jpegEncodeBytes(width, layout) >>> 0, region]);
}
