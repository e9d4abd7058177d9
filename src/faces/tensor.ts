import type { Size } from '../codecs/types.ts';
import type { CoreExports } from '../core/exports.ts';
import type { QuarterTurns } from './boxes.ts';
import { type ArraySource, ownArrays } from './bump_allocator.ts';
import { inputSide } from './model.ts';

/** Interleaved 8-bit RGB. The last `heldRows` are held: row y is at (y mod heldRows) × width × 3. */
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

/** The size of the model's input for a picture of this size. */
export const inputSize = (size: Size): Size => ({
  width: inputSide(size.width),
  height: inputSide(size.height),
});

/** The picture's size once rotated. */
export const rotatedSize = (size: Size, rotation: QuarterTurns): Size =>
  rotation % 2 === 1
    ? { width: size.height, height: size.width }
    : { width: size.width, height: size.height };

/** Where the pixels of a part go in a plane of an input: index of the first, and steps right and down. */
interface Placing {
  readonly start: number;
  readonly right: number;
  readonly down: number;
}

/**
 * @param part its size, before it is rotated clockwise
 * @param width of the planes
 * @param margin pixels above it and left of it
 */
function placing(part: Size, rotation: QuarterTurns, width: number, margin = 0): Placing {
  const [last, low] = [part.width - 1, part.height - 1];
  const { start, right, down } = [
    { start: 0, right: 1, down: width },
    { start: low, right: width, down: -1 },
    { start: low * width + last, right: -1, down: -width },
    { start: last * width, right: -width, down: 1 },
  ][rotation]!;
  return { start: start + margin * (width + 1), right, down };
}

/** A model's input, planar RGB, and the kernels of the core that it lies in. */
interface InputRoom {
  readonly input: Float32Array;
  readonly kernels: Pick<CoreExports, 'faceSpreadRow'>;
}

/**
 * Fills a model input with the part of a picture that begins at (left, top), rotated clockwise. The rest is
 * 0.
 * @param picture lies in the input's core
 * @param part its size, within the picture
 * @param size of the input, both sides multiples of 32
 * @param margin pixels of the input above it and left of it
 */
export function fillPart(
  { input: tensor, kernels }: InputRoom,
  picture: Picture,
  left: number,
  top: number,
  part: Size,
  size: Size,
  rotation: QuarterTurns = 0,
  margin = 0,
): void {
  const { start, right, down } = placing(part, rotation, size.width, margin);
  const plane = size.width * size.height;
  const { pixels, heldRows, width } = picture;
  if (part.width < size.width || part.height < size.height) tensor.fill(0, 0, 3 * plane);
  for (let y = 0; y < part.height; y++) {
    let from = (((top + y) % heldRows) * width + left) * 3;
    let to = start + y * down;
    if (rotation === 0) {
      const at = tensor.byteOffset + to * tensor.BYTES_PER_ELEMENT;
      kernels.faceSpreadRow(pixels.byteOffset + from, at, plane * tensor.BYTES_PER_ELEMENT, part.width);
      continue;
    }
    for (const end = from + 3 * part.width; from < end; from += 3, to += right) {
      tensor[to] = pixels[from]!;
      tensor[to + plane] = pixels[from + 1]!;
      tensor[to + 2 * plane] = pixels[from + 2]!;
    }
  }
}

/**
 * Puts the colour at a point between pixels into a model input, bilinear. Points beyond the outermost pixels
 * have their colour.
 * @param at index in the input's planes
 * @param x in pixels, 0 at the centre of the first; `y` likewise
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
 * As `fillPart`, of a picture (all of its rows held) enlarged to `enlarged`: bilinear, as `fillPixel`. A grid
 * along the axes needs its columns' places and shares only once.
 */
export function fillEnlarged(
  tensor: Float32Array,
  picture: Picture,
  enlarged: Size,
  left: number,
  top: number,
  part: Size,
  size: Size,
  rotation: QuarterTurns = 0,
): void {
  const { start, right, down } = placing(part, rotation, size.width);
  const plane = size.width * size.height;
  if (part.width < size.width || part.height < size.height) tensor.fill(0, 0, 3 * plane);
  const columns = sampled(picture.width, enlarged.width, left, part.width);
  const rows = sampled(picture.height, enlarged.height, top, part.height);
  for (let y = 0; y < part.height; y++) {
    const upper = rows.first[y]! * picture.width * 3;
    const lower = rows.second[y]! * picture.width * 3;
    fillEnlargedRow(
      tensor,
      start + y * down,
      right,
      plane,
      picture.pixels,
      upper,
      lower,
      rows.share[y]!,
      columns,
    );
  }
}

/** Which two pixels of a row or column show each enlarged one, and the second one's share. */
interface Sampled {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly share: Float64Array;
}

/** @param from index of the first enlarged pixel; `count` of them */
function sampled(length: number, enlarged: number, from: number, count: number): Sampled {
  const [first, second, share] = [new Int32Array(count), new Int32Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    const at = ((from + i + 0.5) * length) / enlarged - 0.5;
    const before = Math.max(0, Math.min(length - 1, Math.floor(at)));
    first[i] = before;
    second[i] = Math.min(length - 1, before + 1);
    share[i] = Math.max(0, Math.min(1, at - before));
  }
  return { first, second, share };
}

function fillEnlargedRow(
  tensor: Float32Array,
  at: number,
  step: number,
  plane: number,
  pixels: Uint8Array,
  upper: number,
  lower: number,
  down: number,
  { first, second, share }: Sampled,
): void {
  for (let x = 0, to = at; x < share.length; x++, to += step) {
    const across = share[x]!;
    const left = first[x]! * 3;
    const right = second[x]! * 3;
    for (let colour = 0; colour < 3; colour++) {
      const northWest = pixels[upper + left + colour]!;
      const southWest = pixels[lower + left + colour]!;
      const above = northWest + (pixels[upper + right + colour]! - northWest) * across;
      const below = southWest + (pixels[lower + right + colour]! - southWest) * across;
      tensor[to + colour * plane] = above + (below - above) * down;
    }
  }
}

/** Mean luma of a picture (all of its rows held), 0 to 255. */
export function meanLuma({ width, height, pixels }: Picture): number {
  let sum = 0;
  for (let i = 0; i < pixels.length; i += 3) sum += lumaAt(pixels, i);
  return sum / (width * height);
}

/** Rec. 601 luma of the pixel whose red is at an index, 0 to 255. */
export const lumaAt = (pixels: Uint8Array, at: number): number =>
  0.299 * pixels[at]! + 0.587 * pixels[at + 1]! + 0.114 * pixels[at + 2]!;

/** Gamma of 0.5: shadows become brighter, black and white stay. */
const brightened = Uint8Array.from({ length: 256 }, (_, value) => Math.round(Math.sqrt(value * 255)));

/** The same picture with its shadows lifted. */
export function brighten(picture: Picture, memory: ArraySource = ownArrays): Picture {
  const pixels = memory.bytes(picture.pixels.length);
  for (let i = 0; i < pixels.length; i++) pixels[i] = brightened[picture.pixels[i]!]!;
  return { ...picture, pixels };
}
