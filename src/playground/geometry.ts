import { uprightSize as uprightSides } from '../pixels/orient.ts';
import { turnedRect } from '../pixels/quarter_turn.ts';
import { touchedPixels as touched } from '../pixels/rect.ts';
import { sizeUnder } from '../pixels/resize.ts';
import type { QuarterTurn } from '../vocabulary/vocabulary.ts';

/**
 * Rectangles and their coordinates. The page keeps every rectangle in the frame: pixels of the whole upright
 * image, after the person's turn. The service takes regions in pixels of the output, after crop and resize.
 * Only `toOutput` converts from one to the other.
 */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle, origin top-left, in pixels; fractions are allowed. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Rounding errors of a few multiplications must not add a whole pixel. */
const EPSILON = 1e-6;

export const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value));

export const right = (box: Box) => box.x + box.w;
export const bottom = (box: Box) => box.y + box.h;

/** The box that covers all of an image. */
export const fullBox = ({ width, height }: Size): Box => ({ x: 0, y: 0, w: width, h: height });

/** The intersection of two boxes; null if they share no area. */
export function intersection(a: Box, b: Box): Box | null {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const w = Math.min(right(a), right(b)) - x;
  const h = Math.min(bottom(a), bottom(b)) - y;
  return w > EPSILON && h > EPSILON ? { x, y, w, h } : null;
}

/** All whole pixels of the image that the box touches, by the service's rule; null if it touches none. */
export function touchedPixels({ x, y, w, h }: Box, image: Size): Box | null {
  const [width, height] = [w - 2 * EPSILON, h - 2 * EPSILON];
  const pixels = touched({ x: x + EPSILON, y: y + EPSILON, width, height }, image);
  return pixels && { x: pixels.x, y: pixels.y, w: pixels.width, h: pixels.height };
}

/** The smallest box of whole pixels around a box; may extend beyond the image. */
export function wholePixels(box: Box): Box {
  const [x, y] = [Math.floor(box.x + EPSILON), Math.floor(box.y + EPSILON)];
  return { x, y, w: Math.ceil(right(box) - EPSILON) - x, h: Math.ceil(bottom(box) - EPSILON) - y };
}

/** The output of crop and resize. */
export interface Target {
  /** The part that is kept, in whole pixels of the frame. */
  readonly crop: Box;
  /** The size after resizing. */
  readonly output: Size;
}

/** @param crop in the frame; null keeps all of it */
export function targetOf(frame: Size, crop: Box | null, maxWidth: number | undefined): Target {
  const kept = (crop && touchedPixels(crop, frame)) ?? fullBox(frame);
  return { crop: kept, output: sizeUnder(maxWidth, { width: kept.w, height: kept.h }) };
}

/** Converts a box from the frame to the output. Fractions are kept, and it may lie outside the output. */
export function toOutput(box: Box, { crop, output }: Target): Box {
  const scaleX = output.width / crop.w;
  const scaleY = output.height / crop.h;
  return { x: (box.x - crop.x) * scaleX, y: (box.y - crop.y) * scaleY, w: box.w * scaleX, h: box.h * scaleY };
}

/** Converts a box from the output to the frame: the inverse of `toOutput`. */
export function fromOutput(box: Box, { crop, output }: Target): Box {
  const scaleX = crop.w / output.width;
  const scaleY = crop.h / output.height;
  return { x: box.x * scaleX + crop.x, y: box.y * scaleY + crop.y, w: box.w * scaleX, h: box.h * scaleY };
}

/** The size after EXIF rotation: orientations 5 to 8 swap width and height (Exif 2.32, tag 0x0112). */
export const uprightSize = ({ width, height }: Size, orientation: number): Size =>
  uprightSides(width, height, orientation as Parameters<typeof uprightSides>[2]);

/** The size at which a file's picture is shown: upright, and only a part if the file crops itself. */
export function shownSize(
  file: Size & { readonly orientation: number; readonly clean_aperture?: Size | null | undefined },
): Size {
  const { width, height } = file.clean_aperture ?? uprightSize(file, file.orientation);
  return { width, height };
}

/** The degrees clockwise by which a person has turned a photo. */
export type Turn = 0 | QuarterTurn;

/** Two turns combined (`turnAfter`), and the turn that undoes one (`turnBack`). */
export const turnAfter = (turn: Turn, by: Turn) => ((turn + by) % 360) as Turn;
export const turnBack = (turn: Turn) => ((360 - turn) % 360) as Turn;

/** The size after a turn. */
export const turnedSize = ({ width, height }: Size, turn: Turn): Size =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width };

/** A box after its picture, which had this size before, was turned. */
export function turnedBox<B extends Box>(box: B, within: Size, turn: Turn): B {
  if (turn === 0) return box;
  const { x, y, width, height } = turnedRect(
    { x: box.x, y: box.y, width: box.w, height: box.h },
    within,
    turn,
  );
  return { ...box, x, y, w: width, h: height };
}

type Transform = [a: number, b: number, c: number, d: number, e: number, f: number];

/** The transform that draws an image of this stored size upright (orientations of Exif 2.32, tag 0x0112). */
export function uprightTransform({ width: w, height: h }: Size, orientation: number): Transform {
  switch (orientation) {
    case 2:
      return [-1, 0, 0, 1, w, 0];
    case 3:
      return [-1, 0, 0, -1, w, h];
    case 4:
      return [1, 0, 0, -1, 0, h];
    case 5:
      return [0, 1, 1, 0, 0, 0];
    case 6:
      return [0, 1, -1, 0, h, 0];
    case 7:
      return [0, -1, -1, 0, h, w];
    case 8:
      return [0, -1, 1, 0, 0, w];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}

/**
 * Converts a point of the window to the frame, clamped to it.
 * @param point in CSS pixels
 * @param displayed where the frame is displayed, in CSS pixels
 */
export function toFrame(
  point: { x: number; y: number },
  displayed: Box,
  frame: Size,
): { x: number; y: number } {
  return {
    x: clamp(((point.x - displayed.x) / displayed.w) * frame.width, 0, frame.width),
    y: clamp(((point.y - displayed.y) / displayed.h) * frame.height, 0, frame.height),
  };
}

/** The box between two opposite corners, in any order. */
export function boxBetween(a: { x: number; y: number }, b: { x: number; y: number }): Box {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(a.x - b.x), h: Math.abs(a.y - b.y) };
}

/** The box moved by dx and dy, but kept inside the frame. */
export function moved(box: Box, dx: number, dy: number, { width, height }: Size): Box {
  return { ...box, x: clamp(box.x + dx, 0, width - box.w), y: clamp(box.y + dy, 0, height - box.h) };
}

/** The edges that a handle moves: -1 left or top, 1 right or bottom, 0 neither. */
export interface Handle {
  readonly horizontal: -1 | 0 | 1;
  readonly vertical: -1 | 0 | 1;
}

/**
 * Moves one edge of a span, never past the other edge and never out of 0 to `max`.
 * @param minLength the shortest length that is allowed
 * @returns the span's new start and length
 */
function dragEdge(
  [start, length]: readonly [start: number, length: number],
  edge: -1 | 0 | 1,
  by: number,
  max: number,
  minLength: number,
): readonly [start: number, length: number] {
  if (edge === 0) return [start, length];
  if (edge > 0) return [start, clamp(length + by, Math.min(minLength, max - start), max - start)];
  const end = start + length;
  const from = clamp(start + by, 0, Math.max(0, end - minLength));
  return [from, end - from];
}

/** The box resized by dragging a handle by dx and dy; no side gets shorter than `minSide`. */
export function resized(
  box: Box,
  { horizontal, vertical }: Handle,
  dx: number,
  dy: number,
  frame: Size,
  minSide = 4,
): Box {
  const [x, w] = dragEdge([box.x, box.w], horizontal, dx, frame.width, minSide);
  const [y, h] = dragEdge([box.y, box.h], vertical, dy, frame.height, minSide);
  return { x, y, w, h };
}

/** The box grown about its centre, as the service pads faces; not clipped. */
export function padded(box: Box, factor: number): Box {
  const w = box.w * factor;
  const h = box.h * factor;
  return { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
}
