import type { Raster, Strip, Work } from '../codecs/types.ts';
import { greyRows } from '../core/kernels.ts';
import { derive } from './derive.ts';

/** Black and white by Rec. 601 luma (ITU-R BT.601-7, 2.5.1) of the gamma-coded values; alpha is kept. */
export function grayscale(source: Raster): Raster {
  return source.grey ? source : derive(source, { grey: true, strips: () => greyStrips(source) });
}

function* greyStrips(source: Raster): Generator<Strip | Work> {
  for (const strip of source.strips()) {
    if (typeof strip !== 'number') greyRows(source.core, strip.pixels);
    yield strip;
  }
}
