import type { Size } from '../codecs/types.ts';
import { ParameterFault } from '../faults.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { type Rect, touchedPixels } from '../pixels/rect.ts';

/**
 * The crop in whole pixels of the upright image; all of the image if no crop was asked for.
 * @throws ParameterFault when the crop lies outside the image
 */
export function cropArea(crop: SanitizeOps['crop'], upright: Size): Rect {
  if (!crop) return { x: 0, y: 0, width: upright.width, height: upright.height };
  const area = touchedPixels(crop, upright);
  if (area) return area;
  throw new ParameterFault(
    'crop',
    `Expected a rectangle that overlaps the upright image of ${upright.width} × ${upright.height} pixels ` +
      `but received x ${crop.x}, y ${crop.y}, width ${crop.width}, height ${crop.height}`,
  );
}

/**
 * The part of the picture that is searched for what a crop's edge cuts: with so much around it that it is
 * seen as a whole.
 */
export function aroundCrop({ x, y, width, height }: Rect, { width: across, height: down }: Size): Rect {
  const margin = Math.ceil(CROP_MARGIN * Math.max(width, height));
  const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)];
  return {
    x: left,
    y: top,
    width: Math.min(across, x + width + margin) - left,
    height: Math.min(down, y + height + margin) - top,
  };
}

/** Of the crop's longer side (docs/measurements/faces.md: how it was chosen). */
const CROP_MARGIN = 0.5;

/**
 * The same area in an image that the decoder has shrunk.
 * @param area in full-size pixels
 * @param factor by which the image was shrunk
 * @param shrunk size of the upright image as it was read
 * @throws Error when none of it lies inside the shrunk image
 */
export function areaInShrunk(area: Rect, factor: number, shrunk: Size): Rect {
  const { x, y, width, height } = area;
  const scaled = { x: x / factor, y: y / factor, width: width / factor, height: height / factor };
  const touched = touchedPixels(scaled, shrunk);
  if (touched) return touched;
  throw new Error(
    `A crop of ${width} × ${height} at ${x}, ${y}, shrunk by ${factor}, lies outside ${shrunk.width} × ${shrunk.height}`,
  );
}
