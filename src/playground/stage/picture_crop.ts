import { el } from '../dom.ts';
import { type Box, clamp, fullBox, intersection, type Size } from '../geometry.ts';
import type { Drawable } from '../pictures/preview.ts';

/** Height of an enlarged crop in pixels: twice its size on the page. */
const CROP_HEIGHT = 128;
/**
 * A crop shows the longer side of its subject times `SURROUNDINGS`; for lines of text times `AROUND_LINE`.
 */
const SURROUNDINGS = 1.5;
const AROUND_LINE = 1.2;

/**
 * The part that a crop shows, around the box's centre; may extend beyond the picture's edge.
 * @param aspect ratio of width to height
 */
function surroundingsOf({ x, y, w, h }: Box, aspect: number): Box {
  const high = Math.max(h, w / aspect) * (aspect > 1 ? AROUND_LINE : SURROUNDINGS);
  const wide = high * aspect;
  return { x: x + (w - wide) / 2, y: y + (h - high) / 2, w: wide, h: high };
}

/**
 * A part of a picture, scaled to a fixed height.
 * @param picture null if there is none: the part stays empty
 * @param box in pixels of `size`, from which the picture may have been scaled
 * @param widest largest ratio of width to height, for boxes that are wide themselves
 */
export function pictureCrop(picture: Drawable | null, box: Box, size: Size, widest = 1): HTMLCanvasElement {
  const aspect = clamp(box.w / box.h, 1, widest);
  const canvas = el('canvas', { width: Math.round(CROP_HEIGHT * aspect), height: CROP_HEIGHT });
  canvas.setAttribute('aria-hidden', 'true');
  const context = canvas.getContext('2d');
  const part = surroundingsOf(box, aspect);
  const area = intersection(part, fullBox(size));
  if (!context || !area || !picture) return canvas;
  const scaleX = picture.width / size.width;
  const scaleY = picture.height / size.height;
  const enlarge = CROP_HEIGHT / part.h;
  context.imageSmoothingQuality = 'high';
  context.drawImage(
    picture.image,
    area.x * scaleX,
    area.y * scaleY,
    area.w * scaleX,
    area.h * scaleY,
    (area.x - part.x) * enlarge,
    (area.y - part.y) * enlarge,
    area.w * enlarge,
    area.h * enlarge,
  );
  return canvas;
}
