/**
 * Where things are. The page keeps every rectangle in the frame: pixels of the whole picture, upright. What
 * is sent is in pixels of the output, after crop and resize; `toOutput` is the one place where the two meet.
 */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle, origin top-left; fractions of pixels are meant. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Rounding noise of a few multiplications must not cost a whole pixel. */
const NOISE = 1e-6;
const down = (value: number) => Math.floor(value + NOISE);
const up = (value: number) => Math.ceil(value - NOISE);

export const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

export const right = (box: Box) => box.x + box.w;
export const bottom = (box: Box) => box.y + box.h;

export const wholeOf = ({ width, height }: Size): Box => ({ x: 0, y: 0, w: width, h: height });

/** The part of a box inside another; null where they only touch or not even that. */
export function sharedBox(a: Box, b: Box): Box | null {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const w = Math.min(right(a), right(b)) - x;
  const h = Math.min(bottom(a), bottom(b)) - y;
  return w > NOISE && h > NOISE ? { x, y, w, h } : null;
}

/**
 * Every whole pixel of the image that the box touches: the service's own rule; null where it touches none.
 */
export function touchedPixels(box: Box, { width, height }: Size): Box | null {
  const x = Math.max(0, down(box.x));
  const y = Math.max(0, down(box.y));
  const w = Math.min(width, up(right(box))) - x;
  const h = Math.min(height, up(bottom(box))) - y;
  return w > 0 && h > 0 ? { x, y, w, h } : null;
}

/** The size under a width cap, as the service computes it: never enlarged, the height to the nearest row. */
export function sizeUnder(maxWidth: number | undefined, { width, height }: Size): Size {
  if (maxWidth === undefined || width <= maxWidth) return { width, height };
  return { width: maxWidth, height: Math.max(1, Math.round((height * maxWidth) / width)) };
}

/** What becomes of the frame: the part that is kept, and the size it leaves with. */
export interface Target {
  /** In whole pixels of the frame. */
  readonly crop: Box;
  readonly output: Size;
}

/** @param crop in the frame; null for all of it */
export function targetOf(frame: Size, crop: Box | null, maxWidth: number | undefined): Target {
  const kept = (crop && touchedPixels(crop, frame)) ?? wholeOf(frame);
  return { crop: kept, output: sizeUnder(maxWidth, { width: kept.w, height: kept.h }) };
}

/** A box of the frame in pixels of the output, fractions kept; it may reach outside. */
export function toOutput(box: Box, { crop, output }: Target): Box {
  const across = output.width / crop.w;
  const along = output.height / crop.h;
  return { x: (box.x - crop.x) * across, y: (box.y - crop.y) * along, w: box.w * across, h: box.h * along };
}

/** The way back. */
export function fromOutput(box: Box, { crop, output }: Target): Box {
  const across = crop.w / output.width;
  const along = crop.h / output.height;
  return { x: box.x * across + crop.x, y: box.y * along + crop.y, w: box.w * across, h: box.h * along };
}

/** The picture turned upright: EXIF orientations 5 to 8 swap its sides. */
export function uprightSize({ width, height }: Size, orientation: number): Size {
  return orientation > 4 ? { width: height, height: width } : { width, height };
}

/** A point of the shown picture in the frame, clamped to it. @param shown where the frame is on the screen */
export function toFrame(point: { x: number; y: number }, shown: Box, frame: Size): { x: number; y: number } {
  return {
    x: clamp(((point.x - shown.x) / shown.w) * frame.width, 0, frame.width),
    y: clamp(((point.y - shown.y) / shown.h) * frame.height, 0, frame.height),
  };
}

/** The box between two corners, whichever they are. */
export function boxBetween(a: { x: number; y: number }, b: { x: number; y: number }): Box {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(a.x - b.x), h: Math.abs(a.y - b.y) };
}

/** Moved, but kept whole inside the frame. */
export function moved(box: Box, dx: number, dy: number, { width, height }: Size): Box {
  return { ...box, x: clamp(box.x + dx, 0, width - box.w), y: clamp(box.y + dy, 0, height - box.h) };
}

/** Which edges a handle takes with it: -1 left or top, 1 right or bottom, 0 neither. */
export interface Handle {
  readonly across: -1 | 0 | 1;
  readonly along: -1 | 0 | 1;
}

/** One side of a box dragged by `by`, never through the other side and never out of the frame. */
function stretched(start: number, length: number, edge: -1 | 0 | 1, by: number, most: number, least: number) {
  if (edge === 0) return [start, length] as const;
  if (edge > 0) return [start, clamp(length + by, Math.min(least, most - start), most - start)] as const;
  const end = start + length;
  const from = clamp(start + by, 0, Math.max(0, end - least));
  return [from, end - from] as const;
}

/** Resized by a handle; no side gets shorter than `least`. */
export function resized(
  box: Box,
  { across, along }: Handle,
  dx: number,
  dy: number,
  frame: Size,
  least = 4,
): Box {
  const [x, w] = stretched(box.x, box.w, across, dx, frame.width, least);
  const [y, h] = stretched(box.y, box.h, along, dy, frame.height, least);
  return { x, y, w, h };
}

/** Grown about its centre, as the service pads faces. Not clipped. */
export function padded(box: Box, factor: number): Box {
  const w = box.w * factor;
  const h = box.h * factor;
  return { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
}
