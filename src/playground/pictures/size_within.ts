import type { Size } from '../geometry.ts';

/** The size within so many pixels, with the same proportions; never larger than before. */
export function sizeWithin({ width, height }: Size, pixels: number): Size {
  const scale = Math.min(1, Math.sqrt(pixels / (width * height)));
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}
