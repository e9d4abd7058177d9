import type { InspectResult } from '../ops/responses.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { touchedPixels } from '../pixels/rect.ts';

/** Caps of the output's size that the ops have not: they become a `maxWidth` of each photo. */
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
 * The `maxWidth` under which a photo, upright, turned and cropped, keeps to the caps: the widest whose
 * height, which is rounded to whole pixels, is not above them.
 * @returns undefined where the photo keeps to them as it is
 * @throws Error where it would get narrower than `maxWidth` may be
 */
export function maxWidthUnder(
  { maxEdge = Number.POSITIVE_INFINITY, maxHeight = Number.POSITIVE_INFINITY }: SizeCap,
  photo: Pick<InspectResult, 'width' | 'height' | 'orientation'>,
  { rotate, crop, output }: Partial<Pick<SanitizeOps, 'rotate' | 'crop' | 'output'>>,
  { minimum, maximum }: WidthBounds,
): number | undefined {
  // Exif 2.32, Orientation: from 5 on rows are columns.
  const stored = { width: photo.width, height: photo.height };
  const isOnItsSide = photo.orientation >= 5 !== (rotate === 90 || rotate === 270);
  const upright = isOnItsSide ? { width: stored.height, height: stored.width } : stored;
  // Where nothing of the photo is left, sanitize says so.
  const { width, height } = (crop && touchedPixels(crop, upright)) ?? upright;
  const cap = Math.min(maxHeight, maxEdge);
  let most = Math.min(width, maxEdge, output?.maxWidth ?? width);
  if (height > cap) most = Math.min(most, Math.floor(((cap + 0.5) * width) / height));
  // What is exactly between two whole pixels is rounded up.
  if (most < width && Math.round((height * most) / width) > cap) most--;
  if (most >= width) return undefined;
  if (most < minimum) {
    throw new Error(`under these caps it would be ${most} pixels wide, and ${minimum} are the least`);
  }
  return Math.min(most, maximum);
}
