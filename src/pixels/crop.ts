import type { Raster } from '../codecs/types.ts';
import { rowsBetween } from '../strips.ts';
import { narrowColumns } from './columns.ts';
import { derive } from './derive.ts';
import type { Rect } from './rect.ts';

/** The part of the image inside `area`, which must lie in the image. Reading stops at its last row. */
export function crop(source: Raster, area: Rect): Raster {
  const narrowed = narrowColumns(source, area.x, area.width);
  if (area.y === 0 && area.height === source.height) return narrowed;
  const strips = () => rowsBetween(narrowed.strips(), area.width, area.y, area.y + area.height, false);
  return derive(source, { width: area.width, height: area.height, strips });
}
