import type { Raster, Strip, Work } from '../codecs/types.ts';
import { rowsWork } from '../work.ts';
import { narrowColumns } from './columns.ts';
import { derive } from './derive.ts';
import type { Rect } from './rect.ts';

/** The part of the image inside `area`, which must lie in the image. Reading stops at its last row. */
export function crop(source: Raster, area: Rect): Raster {
  const narrowed = narrowColumns(source, area.x, area.width);
  if (area.y === 0 && area.height === source.height) return narrowed;
  const strips = () => rowsBetween(narrowed, area.y, area.y + area.height);
  return derive(source, { width: area.width, height: area.height, strips });
}

function* rowsBetween(source: Raster, top: number, bottom: number): Generator<Strip | Work> {
  const stride = source.width * 4;
  for (const strip of source.strips()) {
    if (typeof strip === 'number') {
      yield strip;
      continue;
    }
    const first = Math.max(top, strip.y);
    const last = Math.min(bottom, strip.y + strip.rows);
    if (last > first) {
      const pixels = strip.pixels.subarray((first - strip.y) * stride, (last - strip.y) * stride);
      yield { y: first - top, rows: last - first, pixels };
    } else {
      yield rowsWork(strip.rows, source.width);
    }
    if (last === bottom) return;
  }
}
