import type { Raster } from '../codecs/types.ts';
import { greyRows } from '../core/kernels/kernels.ts';
import { changedStrips } from '../strips.ts';
import { derive } from './derive.ts';

/** Black and white by Rec. 601 luma (ITU-R BT.601-7, 2.5.1) of the gamma-coded values; alpha is kept. */
export function grayscale(source: Raster): Raster {
  const strips = () => changedStrips(source.strips(), ({ pixels }) => greyRows(source.core, pixels));
  return source.grey ? source : derive(source, { grey: true, strips });
}
