import type { Raster, Strip } from '../codecs/types.ts';
import { clearTransparentInCore } from '../core/kernels.ts';
import { pixelWords } from './pixel_words.ts';

/** The alpha byte of a pixel read as one little-endian word (every WebAssembly host is little-endian). */
const ALPHA_MASK = 0xff000000;

/**
 * Blanks what full transparency hides: a PNG or WebP keeps colours under alpha 0, and a face painted over
 * with transparency would leave with the file. Such pixels become transparent black.
 */
export function clearTransparent(source: Raster): Raster {
  if (source.opaque) return source;
  return {
    width: source.width,
    height: source.height,
    opaque: false,
    grey: source.grey,
    core: source.core,
    strips: () => clearedStrips(source),
  };
}

function* clearedStrips(source: Raster): Generator<Strip> {
  for (const strip of source.strips()) {
    if (!clearTransparentInCore(strip.pixels)) clearTransparentPixels(strip.pixels);
    yield strip;
  }
}

/** The same in place, wherever the pixels lie. */
export function clearTransparentPixels(pixels: Uint8Array): void {
  const words = pixelWords(pixels);
  for (let i = 0; i < words.length; i++) if ((words[i]! & ALPHA_MASK) === 0) words[i] = 0;
}
