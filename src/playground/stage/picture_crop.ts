import { el } from '../dom.ts';
import { type Box, fullBox, intersection, type Size } from '../geometry.ts';
import type { Drawable } from '../pictures/preview.ts';

/** Edge of an enlarged crop in pixels: twice its size on the page. */
const CROP_EDGE = 128;
/** A crop shows the longer side of what it is about times this. */
const SURROUNDINGS = 1.5;

/** The square that a crop shows, about the box's middle; it may reach over the picture's edge. */
export function squareAround({ x, y, w, h }: Box): Box {
  const edge = Math.max(w, h) * SURROUNDINGS;
  return { x: x + (w - edge) / 2, y: y + (h - edge) / 2, w: edge, h: edge };
}

/**
 * A part of a picture, enlarged or shrunk to one size.
 * @param picture null while there is none: the part stays empty
 * @param box in pixels of `size`, which the picture may have been scaled from
 */
export function pictureCrop(picture: Drawable | null, box: Box, size: Size): HTMLCanvasElement {
  const canvas = el('canvas', { width: CROP_EDGE, height: CROP_EDGE });
  canvas.setAttribute('aria-hidden', 'true');
  const context = canvas.getContext('2d');
  const square = squareAround(box);
  const area = intersection(square, fullBox(size));
  if (!context || !area || !picture) return canvas;
  const scaleX = picture.width / size.width;
  const scaleY = picture.height / size.height;
  const enlarge = CROP_EDGE / square.w;
  context.imageSmoothingQuality = 'high';
  context.drawImage(
    picture.image,
    area.x * scaleX,
    area.y * scaleY,
    area.w * scaleX,
    area.h * scaleY,
    (area.x - square.x) * enlarge,
    (area.y - square.y) * enlarge,
    area.w * enlarge,
    area.h * enlarge,
  );
  return canvas;
}
