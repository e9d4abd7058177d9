import type { Size } from '../codecs/types.ts';
import type { QuarterTurns } from './boxes.ts';
import { type ArraySource, ownArrays } from './bump_allocator.ts';
import { inputSide } from './model.ts';

/**
 * Interleaved 8-bit RGB, of which the last `heldRows` rows are held: row y lies at (y mod heldRows) ×
 * width × 3.
 */
export interface Picture extends Size {
  readonly heldRows: number;
  readonly pixels: Uint8Array;
}

/** All black; all of its rows held, unless said otherwise. */
export const blankPicture = (
  { width, height }: Size,
  memory: ArraySource = ownArrays,
  heldRows = height,
): Picture => ({ width, height, heldRows, pixels: memory.bytes(width * heldRows * 3) });

/** What the model's input must measure for a picture of this size. */
export const inputSize = (size: Size): Size => ({
  width: inputSide(size.width),
  height: inputSide(size.height),
});

/** The picture's size once rotated. */
export const rotatedSize = (size: Size, rotation: QuarterTurns): Size =>
  rotation % 2 === 1
    ? { width: size.height, height: size.width }
    : { width: size.width, height: size.height };

/**
 * Fills a model input, planar RGB, with the part of a picture that begins at (left, top); what lies beyond it
 * is 0.
 * @param size of the input, both sides multiples of 32
 */
export function fillPart(
  tensor: Float32Array,
  picture: Picture,
  left: number,
  top: number,
  size: Size,
): void {
  const columns = Math.min(size.width, picture.width - left);
  const rows = Math.min(size.height, picture.height - top);
  tensor.fill(0, 0, 3 * size.width * size.height);
  for (let y = 0; y < rows; y++) {
    const from = (((top + y) % picture.heldRows) * picture.width + left) * 3;
    fillRow(tensor, size, y, picture.pixels, from, 3, columns);
  }
}

/** Fills a model input with a whole picture (all of its rows held), rotated clockwise; the rest is 0. */
export function fillRotated(
  tensor: Float32Array,
  picture: Picture,
  rotation: QuarterTurns,
  size: Size,
): void {
  const { width, height, pixels } = picture;
  const rotated = rotatedSize(picture, rotation);
  const row = width * 3;
  // Where the rotated picture's first pixel lies, and how far the next one right and the next one down are
  // from it.
  const [start, right, down] = [
    [0, 3, row],
    [(height - 1) * row, -row, 3],
    [height * row - 3, -3, -row],
    [row - 3, row, -3],
  ][rotation] as [number, number, number];
  tensor.fill(0, 0, 3 * size.width * size.height);
  for (let y = 0; y < rotated.height; y++) {
    fillRow(tensor, size, y, pixels, start + y * down, right, rotated.width);
  }
}

function fillRow(
  tensor: Float32Array,
  size: Size,
  y: number,
  pixels: Uint8Array,
  start: number,
  step: number,
  count: number,
): void {
  const plane = size.width * size.height;
  let from = start;
  let to = y * size.width;
  for (const end = to + count; to < end; to++, from += step) {
    tensor[to] = pixels[from]!;
    tensor[to + plane] = pixels[from + 1]!;
    tensor[to + 2 * plane] = pixels[from + 2]!;
  }
}

/**
 * Puts the colour at a point between pixels into a model input, bilinear; points beyond the outer pixels have
 * their colour.
 * @param at index in the input's planes
 * @param x in pixels, 0 at the centre of the first; `y` alike
 */
export function fillPixel(
  tensor: Float32Array,
  size: Size,
  at: number,
  { width, height, pixels }: Picture,
  x: number,
  y: number,
): void {
  const left = Math.max(0, Math.min(width - 1, Math.floor(x)));
  const top = Math.max(0, Math.min(height - 1, Math.floor(y)));
  const across = Math.max(0, Math.min(1, x - left));
  const down = Math.max(0, Math.min(1, y - top));
  const right = left + 1 < width ? 3 : 0;
  const below = top + 1 < height ? width * 3 : 0;
  const plane = size.width * size.height;
  let from = (top * width + left) * 3;
  for (let to = at; to <= at + 2 * plane; to += plane, from++) {
    const upper = pixels[from]! + (pixels[from + right]! - pixels[from]!) * across;
    const lower = pixels[from + below]! + (pixels[from + below + right]! - pixels[from + below]!) * across;
    tensor[to] = upper + (lower - upper) * down;
  }
}

/**
 * Fills a model input with a part of a picture (all of its rows held) enlarged to `enlarged`; the rest is 0.
 */
export function fillEnlarged(
  tensor: Float32Array,
  picture: Picture,
  enlarged: Size,
  left: number,
  top: number,
  size: Size,
): void {
  const columns = Math.min(size.width, enlarged.width - left);
  const rows = Math.min(size.height, enlarged.height - top);
  tensor.fill(0, 0, 3 * size.width * size.height);
  for (let y = 0; y < rows; y++) {
    const fromY = ((top + y + 0.5) * picture.height) / enlarged.height - 0.5;
    for (let x = 0; x < columns; x++) {
      const fromX = ((left + x + 0.5) * picture.width) / enlarged.width - 0.5;
      fillPixel(tensor, size, y * size.width + x, picture, fromX, fromY);
    }
  }
}

/** Mean brightness of a picture (all of its rows held): Rec. 601 luma, 0 to 255. */
export function meanLuma({ width, height, pixels }: Picture): number {
  let sum = 0;
  for (let i = 0; i < pixels.length; i += 3) {
    sum += 0.299 * pixels[i]! + 0.587 * pixels[i + 1]! + 0.114 * pixels[i + 2]!;
  }
  return sum / (width * height);
}

/** Gamma of 0.5: what is dark is shown brighter, black and white stay. */
const brightened = Uint8Array.from({ length: 256 }, (_, value) => Math.round(Math.sqrt(value * 255)));

/** The same picture with its shadows lifted. */
export function brighten(picture: Picture, memory: ArraySource = ownArrays): Picture {
  const pixels = memory.bytes(picture.pixels.length);
  for (let i = 0; i < pixels.length; i++) pixels[i] = brightened[picture.pixels[i]!]!;
  return { ...picture, pixels };
}
