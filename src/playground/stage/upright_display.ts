import type { InspectResult } from '../../../client/index.ts';
import type { Size } from '../geometry.ts';

/**
 * Whether the browser displays the image upright, like the service, so that boxes drawn on it are where the
 * service puts them. Browsers rotate JPEG by its EXIF and AVIF by its own properties. For other formats they
 * differ, and half turns and mirroring do not show in the size: for these the service's copy is used.
 * @param displayed the size at which the browser displays the image
 * @param upright the size according to the service
 */
export function displaysUpright(
  { format, orientation }: Pick<InspectResult, 'format' | 'orientation'>,
  displayed: Size,
  upright: Size,
): boolean {
  if (displayed.width !== upright.width || displayed.height !== upright.height) return false;
  return orientation === 1 || format === 'jpeg' || format === 'avif';
}
