import type { Size } from '../geometry.ts';

/** The size reduced to at most this many pixels, with the same proportions; never enlarged. */
export function sizeWithin({ width, height }: Size, pixels: number): Size {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)));
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}
