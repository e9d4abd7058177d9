import { PAGE_BYTES } from '../../core/memory_pool.ts';
import { heldBytesFor, ROW_SLACK } from '../../core/sizes.ts';
import { alphaDecoderBytes } from '../../core/webp/alpha.ts';
import { losslessDecoderBytes } from '../../core/webp/lossless.ts';
import { lossyFrameBytes } from '../../core/webp/lossy.ts';
import type { MemoryCost } from '../../memory/memory_cost.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import type { Size } from '../types.ts';

/** Rows of canvas that an animation's first frame is put on at a time. */
export const CANVAS_ROWS = 16;

export const canvasBytes = ({ width }: Size): number => CANVAS_ROWS * width * 4 + ROW_SLACK;

/** The largest edge of a bitstream (RFC 6386 §9.1: 14 bits; VP8L: 14 bits of width − 1). */
const MAX_EDGE = 16_384;

/**
 * Bytes that reading a WebP holds beyond its compressed bytes, at most. What a lossless header declares is
 * not known before it is read: the most that a picture of this size may declare counts.
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
  // A page more, since the file before it does not end at one.
  return { inCores: heldBytesFor([lossy, alpha, lossless, canvas, ROW_SLACK]) + PAGE_BYTES, elsewhere: 0 };
}
