import type { Raster } from '../codecs/types.ts';
import { clearTransparentRows } from '../core/kernels/kernels.ts';
import { changedStrips } from '../strips.ts';
import { derive } from './derive.ts';

/**
 * Makes fully transparent pixels transparent black: a PNG or WebP keeps the colours under alpha 0, so a face
 * that was erased by transparency would still be in the output.
 */
export function clearTransparent(source: Raster): Raster {
  const strips = () =>
    changedStrips(source.strips(), ({ pixels }) => clearTransparentRows(source.core, pixels));
  return source.opaque ? source : derive(source, { strips });
}
