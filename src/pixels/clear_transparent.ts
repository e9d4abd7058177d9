import type { Raster, Strip, Work } from '../codecs/types.ts';
import { clearTransparentRows } from '../core/kernels.ts';
import { derive } from './derive.ts';

/**
 * Blanks what full transparency hides: a PNG or WebP keeps colours under alpha 0, and a face painted over with
 * transparency would leave with the file. Such pixels become transparent black.
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
