import { ROW_SLACK } from '../../core/constants.ts';
import { PAGE_BYTES } from '../../core/memory_pool.ts';
import { heldBytesFor } from '../../core/sizes.ts';
import { alphaDecoderBytes } from '../../core/webp/alpha.ts';
import { losslessDecoderBytes } from '../../core/webp/lossless.ts';
import { lossyFrameBytes } from '../../core/webp/lossy.ts';
import type { MemoryCost } from '../../memory/memory_cost.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import type { Size } from '../types.ts';

/** The rows of canvas on which an animation's first frame is put at a time. */
export const CANVAS_ROWS = 16;

export const canvasBytes = ({ width }: Size): number => CANVAS_ROWS * width * 4 + ROW_SLACK;

/** The largest edge of a bitstream (RFC 6386 §9.1: 14 bits; VP8L: 14 bits of width − 1). */
const MAX_EDGE = 16_384;

/**
 * The most bytes that reading a WebP holds in addition to its compressed bytes. What a lossless header
 * declares is unknown before it is read, so the most that a picture of this size may declare counts.
 */
export function webpDecodeCost({ width, height, onCanvas, colour, hasAlpha }: FileFacts): MemoryCost {
  const size = {
    width: Math.min(MAX_EDGE, Math.max(1, width)),
    height: Math.min(MAX_EDGE, Math.max(1, height)),
  };
  const isLossy = colour === 'ycbcr';
  const lossy = isLossy
    ? lossyFrameBytes(Math.min(size.width, MAX_EDGE - 1), Math.min(size.height, MAX_EDGE - 1))
    : 0;
  const alpha = isLossy && hasAlpha ? alphaDecoderBytes({ ...size, compressed: true }).worst : 0;
  const lossless = isLossy ? 0 : losslessDecoderBytes(size.width, size.height).worst;
  const canvas = onCanvas ? canvasBytes({ width, height }) : 0;
  // One page more, as the file before it need not end at a page.
  return { inCores: heldBytesFor([lossy, alpha, lossless, canvas, ROW_SLACK]) + PAGE_BYTES, elsewhere: 0 };
}
