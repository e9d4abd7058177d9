import type { Raster, Strip } from '../codecs/types.ts';
import { greyInCore } from '../core/kernels.ts';

/**
 * Rec. 601 luma weights (ITU-R BT.601-7, 2.5.1: 0.299, 0.587, 0.114) times 2^16, rounded so that they sum to
 * 2^16 and white stays white.
 */
export const LUMA_RED = 19595;
export const LUMA_GREEN = 38470;
export const LUMA_BLUE = 7471;

/**
 * Black and white by luma of the gamma-coded values; alpha is kept. Nothing to do for an image that is grey
 * already.
 */
export function grayscale(source: Raster): Raster {
  if (source.grey) return source;
  const { columns } = source;
  return {
    width: source.width,
    height: source.height,
    opaque: source.opaque,
    grey: true,
    core: source.core,
    strips: () => greyStrips(source),
    ...(columns && { columns: (x: number, width: number) => grayscale(columns.call(source, x, width)) }),
  };
}

function* greyStrips(source: Raster): Generator<Strip> {
  for (const strip of source.strips()) {
    if (!greyInCore(strip.pixels)) greyPixels(strip.pixels);
    yield strip;
  }
}

/** Greys RGBA pixels in place, wherever they lie; the core's kernel does the same. */
export function greyPixels(pixels: Uint8Array): void {
  for (let i = 0; i + 3 < pixels.length; i += 4) {
    const luma =
      (LUMA_RED * pixels[i]! + LUMA_GREEN * pixels[i + 1]! + LUMA_BLUE * pixels[i + 2]! + 0x8000) >>> 16;
    pixels[i] = luma;
    pixels[i + 1] = luma;
    pixels[i + 2] = luma;
  }
}
