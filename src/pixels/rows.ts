import type { Raster, Strip, Work } from '../codecs/types.ts';
import { rowsWork } from '../work.ts';
import { derive } from './derive.ts';

/**
 * The image narrowed to rows [y, y + height). Read through `source.rows` where the source has
 * it; otherwise from the top, down to the last of them.
 */
export function narrowRows(source: Raster, y: number, height: number): Raster {
  if (y === 0 && height === source.height) return source;
  if (source.rows) return source.rows(y, height);
  return derive(source, { height, strips: () => stripRows(source, y, y + height) });
}

function* stripRows(source: Raster, from: number, to: number): Generator<Strip | Work> {
  const stride = source.width * 4;
  for (const strip of source.strips()) {
    if (typeof strip === 'number') {
      yield strip;
      continue;
    }
    const { y, rows, pixels } = strip;
    const top = Math.max(0, from - y);
    const bottom = Math.min(rows, to - y);
    if (top < bottom) {
      const kept = pixels.subarray(top * stride, bottom * stride);
      yield { y: y + top - from, rows: bottom - top, pixels: kept };
    } else {
      yield rowsWork(rows, source.width);
    }
    // The last rows are read to the image's end, where its defects show.
    if (y + rows >= to && to < source.height) return;
  }
}
