import type { Raster, Strip } from '../codecs/types.ts';
import { derive } from './derive.ts';

/**
 * The image narrowed to rows [y, y + height). A source that can begin there is asked to; otherwise it is read
 * from the top, down to the last of them.
 */
export function narrowRows(source: Raster, y: number, height: number): Raster {
  if (y === 0 && height === source.height) return source;
  if (source.rows) return source.rows(y, height);
  return derive(source, { height, strips: () => cutStrips(source, y, y + height) });
}

function* cutStrips(source: Raster, from: number, to: number): Generator<Strip> {
  const stride = source.width * 4;
  for (const { y, rows, pixels } of source.strips()) {
    const top = Math.max(0, from - y);
    const bottom = Math.min(rows, to - y);
    if (top < bottom) {
      const kept = pixels.subarray(top * stride, bottom * stride);
      yield { y: y + top - from, rows: bottom - top, pixels: kept };
    }
    // The last rows are read to the image's end, where its defects show.
    if (y + rows >= to && to < source.height) return;
  }
}
