import type { Raster, Strip, Work } from '../codecs/types.ts';
import { clearTransparentRows } from '../core/kernels.ts';
import { derive } from './derive.ts';

/**
 * Makes fully transparent pixels transparent black: a PNG or WebP keeps the colours under alpha 0, so a face
 * that was erased by transparency would still be in the output.
 */
export function clearTransparent(source: Raster): Raster {
  return source.opaque ? source : derive(source, { strips: () => clearedStrips(source) });
}

function* clearedStrips(source: Raster): Generator<Strip | Work> {
  for (const strip of source.strips()) {
    if (typeof strip !== 'number') clearTransparentRows(source.core, strip.pixels);
    yield strip;
  }
}
