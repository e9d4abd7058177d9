import type { Size } from '../codecs/types.ts';
import { arraysCost, type BumpAllocator } from './bump_allocator.ts';

/** Takes one finished row of interleaved RGB. The array is reused afterwards. */
export type RowSink = (row: Uint8Array, y: number) => void;

/** Kernels read and write whole vectors of this many bytes. */
const VECTOR = 16;

/** For a target pixel: how many source pixels lie fully under it (i32), and the next one's share (f32). */
const BORDER_BYTES = 8;

/**
 * Shrinks a picture that comes row by row, by area averaging: every target pixel is the mean of the source
 * area it covers; pixels cut by its border count by their share. It holds one row and its sums, never the
 * picture. At equal size the picture passes unchanged. Rows have 3 interleaved channels, or 4 with alpha,
 * which are composed over white, as for JPEG output, so that nothing is detected in hidden colours.
 */
export class Shrinker {
  readonly #source: Size;
  readonly #target: Size;
  readonly #channels: 3 | 4;
  readonly #sink: RowSink;
  readonly #memory: BumpAllocator;
  readonly #given: Uint8Array;
  readonly #sums: Float32Array;
  readonly #row: Uint8Array;
  readonly #borders: Uint8Array;
  readonly #mostWhole: number;
  readonly #isOnWhite: boolean;
  readonly #perPixel: number;
  #sourceY = 0;
  #targetY = 0;
  /** The sums of the next target row have not begun. */
  #isFresh = true;

  /** @param memory of a core, whose kernels work on the sums */
  constructor(
    source: Size,
    target: Size,
    channels: 3 | 4,
    sink: RowSink,
    opaque: boolean,
    memory: BumpAllocator,
  ) {
    this.#source = source;
    this.#target = target;
    this.#channels = channels;
    this.#sink = sink;
    this.#memory = memory;
    this.#given = memory.bytes(inVectors(source.width * channels));
    this.#sums = memory.floats(inVectors(source.width * channels));
    this.#row = memory.bytes(target.width * 3 + 1);
    this.#borders = memory.bytes(target.width * BORDER_BYTES);
    this.#mostWhole = layBorders(this.#borders, source.width, target.width);
    this.#isOnWhite = channels === 4 && !opaque;
    this.#perPixel = (target.width / source.width) * (target.height / source.height);
  }

  /** The most bytes that a shrinker from one size to another holds. */
  static cost(source: Size, target: Size): number {
    const values = inVectors(source.width * 4);
    const sums = values * Float32Array.BYTES_PER_ELEMENT;
    return arraysCost(values, sums, target.width * 3 + 1, target.width * BORDER_BYTES);
  }

  /** Takes the next source row, at `at` in `pixels`, and hands on the target row it completes, if any. */
  push(pixels: Uint8Array, at: number): void {
    const source = this.#source;
    const target = this.#target;
    const y = this.#sourceY++;
    const row = Math.floor((y * target.height) / source.height);
    const share = shareBefore(y, row, source.height, target.height);
    const length = source.width * this.#channels;
    if (this.#isOnWhite) layOnWhite(pixels, at, this.#given, length);
    else this.#given.set(pixels.subarray(at, at + length));
    this.#addDown(share);
    // A source row that reaches the target row's lower border completes it; the rest begins the next.
    if ((y + 1) * target.height >= (row + 1) * source.height) {
      this.#finishRow();
      if (share < 1) this.#addDown(1 - share);
    }
  }

  #addDown(share: number): void {
    const [given, sums, kernels] = [this.#given, this.#sums, this.#memory.exports];
    const { byteOffset, length } = given;
    if (this.#isFresh) kernels.faceShrinkBegin(byteOffset, sums.byteOffset, length, share);
    else kernels.faceShrinkDown(byteOffset, sums.byteOffset, length, share);
    this.#isFresh = false;
  }

  #finishRow(): void {
    const sums = this.#sums;
    const row = this.#row;
    const targets = this.#target.width;
    this.#memory.exports.faceShrinkAcross(
      sums.byteOffset,
      row.byteOffset,
      this.#borders.byteOffset,
      targets,
      this.#channels,
      this.#mostWhole,
      this.#perPixel,
    );
    this.#isFresh = true;
    this.#sink(row.subarray(0, 3 * targets), this.#targetY++);
  }
}

/** Rounded up to vectors, and one more: the last pixel of three channels is read as one of four. */
const inVectors = (bytes: number): number => (Math.ceil(bytes / VECTOR) + 1) * VECTOR;

/** The share of source pixel `index` that lies before the end of target pixel `target`. */
function shareBefore(index: number, target: number, source: number, targets: number): number {
  return Math.min(1, ((target + 1) * source) / targets - index);
}

/**
 * Writes where the borders of target pixels cut the source pixels of a row.
 * @returns the most source pixels that lie fully under a target pixel
 */
function layBorders({ buffer, byteOffset, byteLength }: Uint8Array, source: number, targets: number): number {
  const borders = new DataView(buffer, byteOffset, byteLength);
  let most = 0;
  let next = 0;
  for (let target = 0; target < targets; target++) {
    const end = ((target + 1) * source) / targets;
    const wholes = Math.floor(end) - next;
    borders.setInt32(BORDER_BYTES * target, wholes, true);
    borders.setFloat32(BORDER_BYTES * target + 4, end - Math.floor(end), true);
    most = Math.max(most, wholes);
    next = Math.floor(end) + 1;
  }
  return most;
}

/** Alpha composition over white: fully transparent pixels become white. */
function layOnWhite(pixels: Uint8Array, at: number, out: Uint8Array, length: number): void {
  for (let i = 0; i < length; i += 4) {
    const alpha = pixels[at + i + 3]!;
    for (let c = 0; c < 3; c++) out[i + c] = 255.5 - ((255 - pixels[at + i + c]!) * alpha) / 255;
  }
}
