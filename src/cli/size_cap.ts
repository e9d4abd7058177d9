import type { InspectResult } from '../ops/responses.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { touchedPixels } from '../pixels/rect.ts';

/** Size caps of the output that the ops lack: they are converted to a `maxWidth` for each photo. */
export interface SizeCap {
  /** Of the longer side, in pixels. */
  readonly maxEdge?: number | undefined;
  readonly maxHeight?: number | undefined;
}

/** Bounds of `output.maxWidth`. */
export interface WidthBounds {
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * The `maxWidth` with which a photo, upright, rotated and cropped, stays within the caps: the largest width
 * whose height, rounded to whole pixels, is within them.
 * @returns undefined if the photo is within them as it is
 * @throws Error if it would become narrower than `maxWidth` may be
 */
export function maxWidthUnder(
  { maxEdge = Number.POSITIVE_INFINITY, maxHeight = Number.POSITIVE_INFINITY }: SizeCap,
  photo: Pick<InspectResult, 'width' | 'height' | 'orientation'>,
  { rotate, crop, output }: Partial<Pick<SanitizeOps, 'rotate' | 'crop' | 'output'>>,
  { minimum, maximum }: WidthBounds,
): number | undefined {
  // Exif 2.32, Orientation: from 5 on, rows and columns are exchanged.
  const stored = { width: photo.width, height: photo.height };
  const isOnItsSide = photo.orientation >= 5 !== (rotate === 90 || rotate === 270);
  const upright = isOnItsSide ? { width: stored.height, height: stored.width } : stored;
  // If nothing of the photo is left, sanitize reports it.
  const { width, height } = (crop && touchedPixels(crop, upright)) ?? upright;
  const cap = Math.min(maxHeight, maxEdge);
  let most = Math.min(width, maxEdge, output?.maxWidth ?? width);
  if (height > cap) most = Math.min(most, Math.floor(((cap + 0.5) * width) / height));
  // A value exactly between two whole pixels is rounded up.
  if (most < width && Math.round((height * most) / width) > cap) most--;
  if (most >= width) return undefined;
  if (most < minimum) {
    throw new Error(`under these caps it would be ${most} pixels wide, and ${minimum} are the least`);
  }
  return Math.min(most, maximum);
}
