import type { InspectResult } from '../../client/index.ts';
import type { Size } from './geometry.ts';

/**
 * Whether what the browser shows lies where the service sees it. Browsers turn JPEG by its EXIF and AVIF by
 * its own properties; for the others they differ, and half turns or mirrors don't show in the size, so there
 * the service's own copy is safer.
 */
export function showable(
  { format, orientation }: Pick<InspectResult, 'format' | 'orientation'>,
  shown: Size,
  upright: Size,
): boolean {
  if (shown.width !== upright.width || shown.height !== upright.height) return false;
  return orientation === 1 || format === 'jpeg' || format === 'avif';
}
