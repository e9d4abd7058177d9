import type { Raster } from '../codecs/types.ts';
import { rowsBetween } from '../strips.ts';
import { derive } from './derive.ts';

/**
 * The image narrowed to rows [y, y + height). Uses `source.rows` if the source has it; otherwise reads from
 * the top down to the last of these rows.
 */
export function narrowRows(source: Raster, y: number, height: number): Raster {
  if (y === 0 && height === source.height) return source;
  if (source.rows) return source.rows(y, height);
  const end = y + height;
  const strips = () => rowsBetween(source.strips(), source.width, y, end, end === source.height);
  return derive(source, { height, strips });
}
